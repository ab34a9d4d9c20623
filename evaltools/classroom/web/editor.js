// The tree editor: adopts the drawing, lets one drag nodes of the tree to edit, choose them and say what to do.
// Text from data goes into the page as XML nodes or textContent only. What becomes of the tree, Python decides.

const editors = new WeakMap(); // mount point -> editor; outlasts reruns
const NEAR = 44; // pixels from a node at which it takes what is dropped
const LEAST = 0.8; // below this scale text is too small
const MOST = 1.5;

class Editor {
  constructor(mount) {
    this.root = make("div", "editor");
    this.bar = make("div", "bar");
    this.bar.setAttribute("role", "toolbar");
    this.bar.setAttribute("aria-label", "Edit the tree");
    this.history = make("div", "group");
    this.undo = this.button(this.history, "↶", "undo the last edit", () => this.send("undo"));
    this.redo = this.button(this.history, "↷", "redo the edit", () => this.send("redo"));
    this.reset = this.button(this.history, "start over", "undo all edits", () => this.send("reset"));
    this.said = make("p", "said");
    this.said.setAttribute("role", "status");
    this.bar.append(this.history, this.said);
    this.stage = make("div", "stage");
    this.legend = make("div", "legend");
    this.panel = this.tools();
    this.root.append(this.bar, this.stage, this.panel, this.legend);
    mount.append(this.root);
    this.listen();
    new ResizeObserver(() => this.fit()).observe(this.stage);
  }

  button(parent, label, says, act) {
    const made = parent.appendChild(make("button", "", label));
    made.type = "button";
    made.title = says;
    made.setAttribute("aria-label", says);
    made.addEventListener("click", act);
    return made;
  }

  // The tools for the nodes that are chosen.
  tools() {
    const box = make("div", "panel");
    box.setAttribute("role", "dialog");
    box.setAttribute("aria-label", "selection");
    const head = box.appendChild(make("div", "head"));
    this.name = head.appendChild(make("span", "name"));
    this.shorter = this.button(head, "◂", "extend the selection to the left", () => this.extend(-1));
    this.longer = this.button(head, "▸", "extend the selection to the right", () => this.extend(1));
    this.button(head, "✕", "close without a change", () => this.choose(null));
    this.relabels = this.row(box, "Relabel as");
    this.inserts = this.row(box, "Insert above");
    this.label = box.appendChild(make("input"));
    this.label.setAttribute("aria-label", "label");
    this.label.size = 7;
    this.label.spellcheck = false;
    this.label.autocapitalize = "off";
    this.label.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") (this.first === this.last ? this.relabel : this.insert).click();
      if (event.key === "Escape") this.choose(null);
    });
    this.relabel = this.button(box, "relabel", "give the node this label", () => this.send(`r${this.first},${this.written()}`));
    this.insert = this.button(box, "insert above", "insert a node with this label above the selection", () =>
      this.send(`i${this.first},${this.last},${this.written()}`),
    );
    this.remove = this.button(box, "delete", "delete the node; its children move up", () => this.send(`d${this.first}`));
    this.places = box.appendChild(make("select"));
    this.places.setAttribute("aria-label", "attach to another parent");
    this.places.addEventListener("change", () => {
      if (this.places.value) this.send(`a${this.first},${this.places.value}`);
    });
    return box;
  }

  // A row of labels to tap instead of writing one; hidden while there are none.
  row(box, title) {
    const row = box.appendChild(make("div", "labels"));
    row.append(make("span", "title", title));
    row.hidden = true;
    return row;
  }

  // Labels to choose: a tap on one does what its row says.
  offer(labels) {
    if (labels.join(" ") === this.offered) return;
    this.offered = labels.join(" ");
    const rows = [
      [this.relabels, (label) => `relabel as ${label}`, (label) => `r${this.first},${label}`],
      [this.inserts, (label) => `insert ${label} above the selection`, (label) => `i${this.first},${this.last},${label}`],
    ];
    for (const [row, says, edit] of rows) {
      row.replaceChildren(row.firstChild);
      for (const label of labels) this.button(row, label, says(label), () => this.send(edit(label)));
    }
  }

  written() {
    return this.label.value.trim().replace(/\s+/g, "_");
  }

  send(text) {
    this.component.setTriggerValue("edit", { text, subject: this.subject });
  }

  update(component) {
    const { data } = component;
    this.component = component;
    followTheme(this.root);
    this.nodes = data.nodes;
    this.offer(data.labels ?? []);
    this.undo.disabled = this.reset.disabled = !data.undo;
    this.redo.disabled = !data.redo;
    this.told = data.message;
    this.hint = data.hint;
    this.tell(data.message);
    if (this.source !== data.svg) {
      this.source = data.svg;
      this.svg = adopt(data.svg);
      this.size = [Number(this.svg.getAttribute("width")), Number(this.svg.getAttribute("height"))];
      this.stage.replaceChildren(this.svg);
      this.shapes = new Map();
      this.svg.querySelectorAll(".node.test").forEach((shape) => this.shapes.set(Number(shape.dataset.node), shape));
      this.legend.replaceChildren(...data.legend.map(adopt));
      this.fit();
      this.drag = null;
      const words = data.nodes.filter((node) => node.kind === "word").map((node) => node.label).join(" ");
      if (words !== this.words) this.begun = false; // another sentence
      this.words = words;
      this.show();
    }
    if (this.subject !== data.subject) this.choose(null);
    else if (this.first !== null) this.choose(this.first, this.last);
    this.subject = data.subject;
  }

  // Of a drawing that is wider or higher than the stage, begin with what differs.
  show() {
    if (this.begun || !this.stage.clientWidth) return;
    this.begun = true;
    const origin = this.svg.getBoundingClientRect();
    const differ = [...this.svg.querySelectorAll(".node:not(.right)")].map((shape) => shape.getBoundingClientRect());
    const middle = (from, to) => differ.reduce((sum, box) => sum + (box[from] + box[to]) / 2, 0) / differ.length;
    if (!differ.length) return;
    this.stage.scrollLeft = middle("left", "right") - origin.left - this.stage.clientWidth / 2;
    this.stage.scrollTop = middle("top", "bottom") - origin.top - this.stage.clientHeight / 2;
  }

  // Say something; how to begin where there is nothing to say.
  tell(text) {
    this.said.textContent = text || this.hint;
    this.said.classList.toggle("hint", !text);
  }

  // The panel stands at what is chosen: under it, or above it where there is no room.
  place() {
    const shape = this.first === null ? null : this.shapes.get(this.last);
    if (!shape) return;
    if (getComputedStyle(this.panel).position !== "absolute") {
      this.panel.style.left = this.panel.style.top = "";
      return;
    }
    const [root, node] = [this.root.getBoundingClientRect(), shape.getBoundingClientRect()];
    const { offsetWidth: width, offsetHeight: height } = this.panel;
    const under = node.bottom - root.top + 8;
    const above = node.top - root.top - height - 8;
    const fits = under + height <= this.stage.offsetTop + this.stage.offsetHeight + 24;
    const left = node.left + node.width / 2 - root.left - width / 2;
    this.panel.style.left = `${Math.max(0, Math.min(left, root.width - width))}px`;
    this.panel.style.top = `${fits || above < 0 ? under : above}px`;
  }

  fit() {
    if (!this.svg || !this.stage.clientWidth) return;
    const tall = parseFloat(getComputedStyle(this.stage).maxHeight) || 1000;
    const scale = Math.min((this.stage.clientWidth - 4) / this.size[0], (tall - 4) / this.size[1]);
    this.scale = Math.max(LEAST, Math.min(MOST, scale));
    this.svg.setAttribute("width", this.size[0] * this.scale);
    this.svg.setAttribute("height", this.size[1] * this.scale);
    if (this.first !== null) this.place();
    this.show();
  }

  // The node of the lower tree under the pointer: a word stands in a cell that both trees share.
  nodeAt(target) {
    if (!(target instanceof Element)) return null;
    const shape = target.closest(".node.test") || target.closest(".cell")?.querySelector(".node.test");
    return shape ? Number(shape.dataset.node) : null;
  }

  listen() {
    const { stage } = this;
    stage.addEventListener("pointerdown", (event) => {
      const node = this.nodeAt(event.target);
      this.moved = false;
      if (node === null || event.button !== 0) return;
      this.drag = { node, x: event.clientX, y: event.clientY, begun: false, extend: event.shiftKey };
    });
    // A finger on a node drags the node; beside the nodes it scrolls.
    const still = (event) => {
      if (this.nodeAt(event.target) !== null && event.touches.length === 1) event.preventDefault();
    };
    stage.addEventListener("touchstart", still, { passive: false });
    stage.addEventListener("touchmove", still, { passive: false });
    stage.addEventListener("pointermove", (event) => {
      if (!this.drag) return;
      if (!this.drag.begun) {
        if (Math.hypot(event.clientX - this.drag.x, event.clientY - this.drag.y) < 6) return;
        this.begin(event);
      }
      this.carry(event);
    });
    stage.addEventListener("pointerup", (event) => {
      const { drag } = this;
      if (!drag) return;
      if (drag.begun) this.drop(event);
      else if (drag.extend && this.first !== null) this.choose(this.first, drag.node, true);
      else this.choose(drag.node);
      this.drag = null;
    });
    const stop = () => {
      if (this.drag?.begun) this.finish();
      this.drag = null;
    };
    stage.addEventListener("pointercancel", stop);
    stage.addEventListener("scroll", () => this.place());
    stage.addEventListener("click", (event) => {
      if (!this.moved && this.nodeAt(event.target) === null) this.choose(null);
    });
    this.root.addEventListener("keydown", (event) => this.key(event, stop));
  }

  key(event, stop) {
    const letter = event.key.toLowerCase();
    const typing = event.composedPath()[0] instanceof HTMLInputElement;
    if ((event.ctrlKey || event.metaKey) && (letter === "z" || letter === "y") && !typing) {
      const again = letter === "y" || event.shiftKey;
      if (!(again ? this.redo : this.undo).disabled) this.send(again ? "redo" : "undo");
    } else if (event.key === "Escape") {
      stop();
      this.choose(null);
    } else if ((event.key === "Enter" || event.key === " ") && this.nodeAt(event.target) !== null) {
      this.choose(this.nodeAt(event.target));
      this.label.focus();
    } else if (event.key === "Delete" && this.first !== null && this.first === this.last && !typing) {
      this.send(`d${this.first}`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  begin(event) {
    this.drag.begun = this.moved = true;
    this.stage.setPointerCapture(event.pointerId);
    this.choose(null);
    const { node } = this.drag;
    this.targets = new Set(this.nodes[node].targets);
    this.stage.classList.add("dragging");
    this.shapes.get(node)?.classList.add("held");
    for (const target of this.targets) this.shapes.get(target)?.classList.add("can");
    this.ghost = this.stage.appendChild(make("div", "ghost", this.nodes[node].label));
    this.line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    this.line.setAttribute("class", "tow");
    this.svg.append(this.line);
  }

  // The new parent of what is dropped here: the node under the pointer, else the nearest possible parent.
  under(event) {
    let best = null;
    let least = NEAR;
    for (const [node, shape] of this.shapes) {
      if (node === this.drag.node || this.nodes[node].kind !== "phrase") continue;
      const box = shape.getBoundingClientRect();
      const dx = Math.max(box.left - event.clientX, 0, event.clientX - box.right);
      const dy = Math.max(box.top - event.clientY, 0, event.clientY - box.bottom);
      const away = Math.hypot(dx, dy);
      if (away < least && (this.targets.has(node) || away === 0)) [best, least] = [node, away];
    }
    return best;
  }

  carry(event) {
    const { stage } = this;
    const frame = stage.getBoundingClientRect();
    if (event.clientX > frame.right - 28) stage.scrollLeft += 9;
    if (event.clientX < frame.left + 28) stage.scrollLeft -= 9;
    if (event.clientY > frame.bottom - 20) stage.scrollTop += 9;
    if (event.clientY < frame.top + 20) stage.scrollTop -= 9;
    this.ghost.style.left = `${event.clientX - frame.left + stage.scrollLeft}px`;
    this.ghost.style.top = `${event.clientY - frame.top + stage.scrollTop}px`;
    this.over = this.under(event);
    const can = this.over !== null && this.targets.has(this.over);
    for (const [node, shape] of this.shapes) shape.classList.toggle("over", can && node === this.over);
    const origin = this.svg.getBoundingClientRect();
    const to = can ? this.shapes.get(this.over).getBoundingClientRect() : null;
    const place = (x, y) => `${(x - origin.left) / this.scale} ${(y - origin.top) / this.scale}`;
    this.line.setAttribute("d", to ? `M${place(event.clientX, event.clientY)}L${place(to.left + to.width / 2, to.top)}` : "");
    this.tell(can ? `Drop it to attach it to ${this.nodes[this.over].name}.` : "Drag it to one of the framed nodes.");
  }

  drop(event) {
    const { drag, over } = this;
    this.finish();
    if (over !== null) this.send(`a${drag.node},${over}`);
    event.preventDefault();
  }

  finish() {
    this.stage.classList.remove("dragging");
    for (const shape of this.shapes.values()) shape.classList.remove("can", "over", "held");
    this.tell(this.told);
    this.ghost?.remove();
    this.line?.remove();
    this.over = null;
  }

  extend(by) {
    const { siblings } = this.nodes[this.first];
    const end = by < 0 ? this.first : this.last;
    const next = siblings[siblings.indexOf(end) + by];
    if (next !== undefined) this.choose(by < 0 ? next : this.first, by < 0 ? this.last : next);
  }

  // Where the panel stands at the end of the window, scroll until it covers nothing of the tree, or the node is on top.
  uncover() {
    if (getComputedStyle(this.panel).position === "absolute") return;
    const covered = this.stage.getBoundingClientRect().bottom - this.panel.getBoundingClientRect().top;
    const above = this.shapes.get(this.first).getBoundingClientRect().top - 8;
    if (Math.min(covered, above) > 0) window.scrollBy(0, Math.min(covered, above));
  }

  // The tag of a word, which is what a bracket is put over; any other node as it is.
  tagged(node) {
    const { kind, parent } = this.nodes[node];
    return kind === "word" && this.nodes[parent]?.kind === "preterminal" ? parent : node;
  }

  // The words of some nodes.
  wordsOf(nodes) {
    const under = (node) => node >= 0 && (nodes.includes(node) || under(this.nodes[node].parent));
    return this.nodes.filter((node, index) => node.kind === "word" && under(index)).map((node) => node.label);
  }

  // Say what is chosen, with as many of its words as there is room for: those in the middle are left out first.
  title(run) {
    const [words, node] = [this.wordsOf(run), this.nodes[this.first]];
    const head = run.length > 1 ? `${run.length} neighbors: ` : node.kind === "word" ? "" : `${node.label} over `;
    this.name.title = `${head}“${words.join(" ")}”`;
    for (let most = words.length; most > 0; most -= 1) {
      const begin = Math.ceil(most / 2);
      const kept = [...words.slice(0, begin), "…", ...words.slice(words.length - most + begin)];
      this.name.textContent = `${head}“${(most < words.length ? kept : words).join(" ")}”`;
      if (this.name.scrollWidth <= this.name.clientWidth) return;
    }
  }

  // Choose a node, or neighbors from one to another.
  choose(first, last = first, either = false) {
    if (this.offered && first !== null && first === last) first = last = this.tagged(first);
    if (first !== null && last !== first) {
      if (!this.nodes[first].siblings.includes(last)) last = first = either ? last : first;
      else if (last < first) [first, last] = [last, first];
    }
    [this.first, this.last] = [first, last];
    this.shapes?.forEach((shape) => shape.classList.remove("picked"));
    this.root.classList.toggle("choosing", first !== null);
    if (first === null) return;
    const node = this.nodes[first];
    const { siblings } = node;
    const run = siblings.slice(siblings.indexOf(first), siblings.indexOf(last) + 1);
    for (const one of run) this.shapes.get(one)?.classList.add("picked");
    const single = first === last;
    const word = node.kind === "word";
    this.title(run);
    this.shorter.disabled = siblings[0] === first;
    this.longer.disabled = siblings[siblings.length - 1] === last;
    this.relabel.hidden = this.remove.hidden = !single || word;
    this.relabels.hidden = !this.offered || this.relabel.hidden;
    this.inserts.hidden = !this.offered;
    this.label.value = single && !word ? node.label : "";
    this.label.placeholder = "label";
    const targets = single ? node.targets : [];
    this.places.hidden = !targets.length;
    const options = targets.map((target) => {
      const option = make("option", "", this.nodes[target].name);
      option.value = String(target);
      return option;
    });
    const head = make("option", "", "attach to …");
    head.value = "";
    this.places.replaceChildren(head, ...options);
    this.place();
    this.uncover();
  }
}

export default function (component) {
  const { parentElement } = component;
  let editor = editors.get(parentElement);
  if (!editor || !editor.root.isConnected) {
    editor = new Editor(parentElement);
    editor.first = editor.last = null;
    editors.set(parentElement, editor);
  }
  styleDrawings(component);
  editor.update(component);
}
