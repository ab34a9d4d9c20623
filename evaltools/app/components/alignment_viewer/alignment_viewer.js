// The alignment viewer: adopts the drawings, lets one hover, pin, fold, zoom and pan.
// Text from data goes into the page as XML nodes or textContent only.

const viewers = new WeakMap(); // mount point -> viewer; outlasts reruns
const remembered = new Map(); // component key -> what survives leaving the page and coming back
const READABLE = 8; // a drawing with smaller letters than so many pixels begins larger than it fits
const LEAST = 0.08;
const MOST = 4;

// Explain an element when it is pointed at or focused by the keyboard.
function hint(element, says) {
  element.classList.add("hint");
  element.dataset.hint = says;
  element.tabIndex = 0;
  element.setAttribute("aria-description", says);
  return element;
}

class Panel {
  constructor(viewer, kind) {
    this.viewer = viewer;
    this.kind = kind;
    this.scale = null;
    this.source = null;
    this.root = make("section", "panel");
    this.root.dataset.kind = kind;
    const head = make("div", "head");
    this.heading = make("h3");
    this.help = make("span", "help", "?");
    this.help.setAttribute("aria-label", "help");
    this.help.setAttribute("role", "note");
    this.numbers = make("p", "numbers");
    const tools = make("div", "tools");
    this.percent = make("output");
    const button = (label, says, act) => {
      const made = make("button", "", label);
      made.type = "button";
      made.title = says;
      made.setAttribute("aria-label", says);
      made.addEventListener("click", act);
      return made;
    };
    tools.append(
      this.percent,
      button("−", "zoom out", () => this.zoom(1 / 1.25)),
      button("+", "zoom in", () => this.zoom(1.25)),
      button("fit", "show the whole drawing", () => this.fit()),
    );
    head.append(this.heading, this.help, this.numbers, tools);
    this.stage = make("div", "stage");
    this.stage.tabIndex = 0;
    this.readout = make("p", "readout");
    this.readout.setAttribute("aria-live", "polite");
    this.frame = make("div", "frame");
    this.sides = [make("span", "side upper"), make("span", "side lower")];
    this.more = [["left", "‹", -1, 0], ["right", "›", 1, 0], ["up", "⌃", 0, -1], ["down", "⌄", 0, 1]].map(([name, label, x, y]) => {
      const edge = make("div", `more ${name}`);
      edge.hidden = true;
      edge.append(button(label, `scroll ${name}`, () => this.turn(x, y)));
      return edge;
    });
    this.frame.append(this.stage, ...this.sides, ...this.more);
    this.root.append(head, this.frame, this.readout);
    this.listen();
  }

  listen() {
    const { stage, viewer } = this;
    const over = (event) => viewer.hover(this.reference(event.target));
    stage.addEventListener("pointerover", over);
    stage.addEventListener("pointerleave", () => viewer.hover(null));
    stage.addEventListener("focusin", over);
    stage.addEventListener("focusout", () => viewer.hover(null));
    stage.addEventListener("click", (event) => {
      if (this.dragged) return;
      this.click(event.target);
    });
    stage.addEventListener("keydown", (event) => this.key(event));
    stage.addEventListener(
      "wheel",
      (event) => {
        this.touched = true;
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.zoom(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) / 180), event);
      },
      { passive: false },
    );
    stage.addEventListener("scroll", () => {
      this.fade();
      if (this.led) this.led = false;
      else if (this.touched) viewer.lead(this);
    });
    let from = null;
    stage.addEventListener("pointerdown", (event) => {
      this.dragged = false;
      this.touched = true;
      if (event.button === 0 && event.pointerType !== "touch") {
        from = { x: event.clientX, y: event.clientY, left: stage.scrollLeft, top: stage.scrollTop };
      }
    });
    stage.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (!this.dragged && Math.hypot(dx, dy) < 5) return;
      if (!this.dragged) {
        this.dragged = true;
        stage.setPointerCapture(event.pointerId);
        stage.classList.add("panning");
      }
      stage.scrollLeft = from.left - dx;
      stage.scrollTop = from.top - dy;
    });
    const drop = () => {
      from = null;
      stage.classList.remove("panning");
    };
    stage.addEventListener("pointerup", drop);
    stage.addEventListener("pointercancel", drop);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pan = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] }[event.key];
    this.touched = true;
    if (pan) this.stage.scrollBy(pan[0], pan[1]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(1 / 1.25);
    else if (event.key === "0") this.fit();
    else if (event.key === "Escape") this.viewer.unpin();
    else if ((event.key === "Enter" || event.key === " ") && event.target.closest(".node")) this.click(event.target);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  show(data, sameSubject) {
    this.heading.textContent = data.heading;
    this.help.hidden = !data.help;
    hint(this.help, data.help);
    this.note = data.note;
    this.stage.setAttribute("aria-label", `${data.heading}: drawing; arrow keys move, plus and minus zoom, 0 fits`);
    this.stage.setAttribute("role", "group");
    const counted = ([scope, numbers]) => [
      make("span", "scope", `${scope}:`),
      ...numbers.map(([status, letter, number, says]) => {
        const item = make("span", status);
        item.append(`${letter} `, make("b", "", number));
        return hint(item, says);
      }),
    ];
    this.numbers.replaceChildren();
    data.counts.forEach((part, line) => this.numbers.append(...(line ? [make("span", "line")] : []), ...counted(part)));
    if (this.source === data.svg) return;
    const center = this.svg && sameSubject ? this.center() : null;
    this.source = data.svg;
    this.svg = adopt(data.svg);
    this.svg.querySelectorAll("title").forEach((title) => title.remove()); // aria-label and readout say it
    this.size = [Number(this.svg.getAttribute("width")), Number(this.svg.getAttribute("height"))];
    this.stage.replaceChildren(this.svg);
    this.index();
    if (center && this.scale) {
      this.apply(this.scale);
      this.goTo(center);
    } else {
      this.touched = false;
      this.start();
    }
  }

  index() {
    this.nodes = new Map();
    this.edges = new Map();
    this.svg.querySelectorAll(".node").forEach((node) => {
      const { side, node: number, hidden } = node.dataset;
      this.nodes.set(`${side}:${number}`, node);
      (hidden ? hidden.split(" ") : []).forEach((inner) => this.nodes.set(`${side}:${inner}`, node));
    });
    this.svg.querySelectorAll(".edge").forEach((edge) => this.edges.set(`${edge.dataset.side}:${edge.dataset.child}`, edge));
    this.ties = new Map();
    this.svg.querySelectorAll(".tie").forEach((tie) => {
      const { gold, test } = tie.dataset;
      for (const [one, other] of [[`gold:${gold}`, `test:${test}`], [`test:${test}`, `gold:${gold}`]]) {
        if (!this.ties.has(one)) this.ties.set(one, []);
        this.ties.get(one).push([tie, other]);
      }
    });
  }

  start() {
    // As large as the text was drawn, smaller where that shows all of it; then where most differences are.
    const room = this.stage.clientWidth;
    if (!room) return;
    const [first] = this.viewer.panels.values();
    if (first !== this && first.scale) {
      this.follow(first);
      return;
    }
    const wide = room / this.size[0];
    const whole = Math.min(wide, this.tallest() / this.size[1]);
    const readable = READABLE / this.smallest();
    this.apply(Math.min(1, whole >= readable ? whole : Math.max(wide, readable)));
    const middle = Number(this.svg.dataset.middle) * this.scale;
    const [x, y] = this.busiest(room, middle);
    this.stage.scrollTo(x - room / 2, y - this.stage.clientHeight / 2);
  }

  // Size of the smallest letters of nodes and words, as they were drawn.
  smallest() {
    const sizes = [...this.svg.querySelectorAll(".node text, .cell text")].map((text) => Number(text.getAttribute("font-size")));
    return Math.min(...sizes.filter((size) => size > 0), 100);
  }

  // Where the most differences are in view together, the words still being in view.
  busiest(room, middle) {
    const origin = this.svg.getBoundingClientRect();
    const places = [...this.svg.querySelectorAll(".node:not(.right)")].map((node) => {
      const box = node.getBoundingClientRect();
      return [box.left + box.width / 2 - origin.left, box.top + box.height / 2 - origin.top];
    });
    places.sort((a, b) => a[0] - b[0]);
    let best = [];
    for (const [from] of places) {
      const seen = places.filter(([x]) => x >= from && x <= from + room - 60);
      if (seen.length > best.length) best = seen;
    }
    if (!best.length) return [0, middle];
    const slack = Math.max(0, this.stage.clientHeight / 2 - 60);
    const height = best.reduce((sum, [, y]) => sum + y, 0) / best.length;
    return [(best[0][0] + best[best.length - 1][0]) / 2, Math.max(middle - slack, Math.min(middle + slack, height))];
  }

  fit() {
    const { clientWidth } = this.stage;
    this.touched = true;
    this.apply(Math.min(1, (clientWidth - 2) / this.size[0], this.tallest() / this.size[1]));
    this.viewer.lead(this);
  }

  // How high the stage can become.
  tallest() {
    return parseFloat(getComputedStyle(this.stage).maxHeight) || this.stage.clientHeight;
  }

  apply(scale) {
    this.scale = Math.max(LEAST, Math.min(MOST, scale));
    this.svg.setAttribute("width", this.size[0] * this.scale);
    this.svg.setAttribute("height", this.size[1] * this.scale);
    this.percent.textContent = `${Math.round(this.scale * 100)} %`;
    this.fade();
    this.viewer.remember();
  }

  // An edge behind which the drawing goes on is faded, and has a button to scroll there.
  fade() {
    const { stage } = this;
    const [left, up] = [stage.scrollLeft, stage.scrollTop];
    const [right, down] = [stage.scrollWidth - stage.clientWidth - left, stage.scrollHeight - stage.clientHeight - up];
    [left, right, up, down].forEach((hidden, index) => {
      this.more[index].hidden = hidden < 8;
    });
  }

  turn(x, y) {
    const { stage } = this;
    this.touched = true;
    stage.scrollBy({ left: 0.7 * x * stage.clientWidth, top: 0.7 * y * stage.clientHeight, behavior: "smooth" });
  }

  zoom(factor, event) {
    this.touched = true;
    const box = this.stage.getBoundingClientRect();
    const at = event ? [event.clientX - box.left, event.clientY - box.top] : [box.width / 2, box.height / 2];
    const point = [(this.stage.scrollLeft + at[0]) / this.scale, (this.stage.scrollTop + at[1]) / this.scale];
    this.apply(this.scale * factor);
    this.stage.scrollTo(point[0] * this.scale - at[0], point[1] * this.scale - at[1]);
    this.viewer.lead(this);
  }

  // Show the part that another panel shows, at its scale.
  follow(panel) {
    if (!this.svg) return;
    if (this.scale !== panel.scale) this.apply(panel.scale);
    const before = [this.stage.scrollLeft, this.stage.scrollTop];
    this.goTo(panel.center());
    this.led = this.stage.scrollLeft !== before[0] || this.stage.scrollTop !== before[1];
  }

  // The point in the middle: across as a share of the drawing, up and down from the words, which panels have in common.
  center() {
    const { stage } = this;
    const [x, y] = [stage.scrollLeft + stage.clientWidth / 2, stage.scrollTop + stage.clientHeight / 2];
    return [x / this.scale / this.size[0], y / this.scale - this.words()];
  }

  goTo([x, y]) {
    const { stage } = this;
    const [left, top] = [x * this.size[0] * this.scale, (y + this.words()) * this.scale];
    stage.scrollTo(left - stage.clientWidth / 2, top - stage.clientHeight / 2);
  }

  words() {
    return Number(this.svg.dataset.middle) || 0;
  }

  reveal(node) {
    this.touched = true;
    const [box, stage] = [node.getBoundingClientRect(), this.stage.getBoundingClientRect()];
    const outside = box.left < stage.left || box.right > stage.right || box.top < stage.top || box.bottom > stage.bottom;
    if (!outside) return;
    this.stage.scrollBy(
      box.left + box.width / 2 - stage.left - stage.width / 2,
      box.top + box.height / 2 - stage.top - stage.height / 2,
    );
  }

  // A reference names one node: {side, node}. Words of a triangle stand for the triangle.
  reference(target) {
    if (!(target instanceof Element)) return null;
    const node = target.closest(".node");
    if (node) return { side: node.dataset.side, node: node.dataset.node };
    const grip = target.closest(".grip");
    if (grip) return { side: grip.dataset.side, node: grip.dataset.child };
    const cell = target.closest(".cell");
    if (!cell) return null;
    if (cell.dataset.first !== undefined) return this.over(cell);
    if (cell.dataset.gold !== undefined) return { side: "gold", node: cell.dataset.gold };
    if (cell.dataset.test !== undefined) return { side: "test", node: cell.dataset.test };
    return cell.dataset.fold ? { side: "gold", node: cell.dataset.fold } : null;
  }

  // A word under a graph stands for the nodes over it.
  over(cell) {
    const [first, last] = [Number(cell.dataset.first), Number(cell.dataset.last)];
    const nodes = [...this.svg.querySelectorAll(".node[data-words]")].filter((node) => {
      const [from, to] = node.dataset.words.split(" ").map(Number);
      return from <= last && first <= to;
    });
    const gold = nodes.map((node) => node.dataset.node);
    const says = nodes.map((node) => node.getAttribute("aria-label").split(" · ")[0]).join(" · ") || cell.textContent;
    return { side: "word", node: cell.dataset.first, gold, test: [], words: [], text: says };
  }

  click(target) {
    const cell = target.closest(".cell");
    const node = target.closest(".node");
    const folded = target.closest(".folded");
    const reference = this.reference(target);
    if (target.closest(".handle")) this.viewer.fold(Number((node || cell).dataset.fold), false);
    else if (folded) this.viewer.fold(Number(folded.dataset.fold), true);
    else if (reference) {
      this.viewer.pin(reference);
      if (cell && cell.dataset.word !== undefined) this.viewer.choose(Number(cell.dataset.word));
    } else this.viewer.unpin();
  }

  clear() {
    this.svg.querySelectorAll(".hot,.mate,.path,.flash").forEach((node) => node.classList.remove("hot", "mate", "path", "flash"));
    this.svg.classList.remove("busy");
  }

  light(reference, flash) {
    this.clear();
    this.readout.textContent = this.note;
    if (!reference) return null;
    if (reference.gold) return this.lightAll(reference, flash);
    const { side, node } = reference;
    const shown = this.nodes.get(`${side}:${node}`);
    if (!shown) return null;
    const other = side === "gold" ? "test" : "gold";
    const partner = shown.dataset.partner === undefined ? null : this.nodes.get(`${other}:${shown.dataset.partner}`);
    this.svg.classList.add("busy");
    for (const [found, name] of [[shown, "hot"], [partner, "mate"]]) {
      if (!found) continue;
      found.classList.add(name);
      if (flash) found.classList.add("flash");
      this.climb(found);
    }
    for (const found of [shown, partner]) {
      if (found) this.svg.querySelectorAll(`.cell[data-${found.dataset.side}="${Number(found.dataset.node)}"]`).forEach((cell) => cell.classList.add("hot"));
    }
    this.svg.querySelectorAll(".bond").forEach((bond) => {
      const ends = { gold: bond.dataset.gold, test: bond.dataset.test };
      if (ends[side] === shown.dataset.node) bond.classList.add("hot");
    });
    for (const [tie, word] of this.ties.get(`${side}:${shown.dataset.node}`) || []) {
      const mate = this.nodes.get(word);
      tie.classList.add("hot");
      if (!mate || mate === partner) continue;
      mate.classList.add("mate");
      if (!partner) this.climb(mate);
    }
    this.neighbors(shown);
    this.readout.textContent = shown.getAttribute("aria-label") + (this.note ? ` — ${this.note}` : "");
    return shown;
  }

  // In a graph: the roles of a node and what they lead to, the ends of a role, and the words.
  neighbors(shown) {
    const { side, with: together, words } = shown.dataset;
    for (const number of together ? together.split(" ") : []) {
      const other = this.nodes.get(`${side}:${number}`);
      const edge = this.edges.get(`${side}:${number}`);
      if (other) other.classList.add("mate");
      if (edge) edge.classList.add("path");
    }
    if (!words) return;
    const [first, last] = words.split(" ").map(Number);
    this.svg.querySelectorAll(".cell[data-first]").forEach((cell) => {
      if (Number(cell.dataset.first) <= last && first <= Number(cell.dataset.last)) cell.classList.add("hot");
    });
  }

  // Marks name many nodes of both trees, and words: what a step of the repair is about.
  lightAll({ gold, test, words, text }, flash) {
    this.readout.textContent = text + (this.note ? ` — ${this.note}` : "");
    this.svg.classList.add("busy");
    const names = [...test.map((node) => `test:${node}`), ...gold.map((node) => `gold:${node}`)];
    const cells = words.flatMap((word) => [...this.svg.querySelectorAll(`.cell[data-word="${Number(word)}"]`)]);
    const inside = cells.flatMap((cell) => [cell, ...cell.querySelectorAll(".node")]);
    const found = [...names.map((name) => this.nodes.get(name)).filter(Boolean), ...inside];
    for (const node of found) node.classList.add("hot", ...(flash ? ["flash"] : []));
    return found[0] || null;
  }

  climb(from) {
    const { side } = from.dataset;
    let node = from;
    for (let steps = 0; node && steps < 1000; steps += 1) {
      const edge = this.edges.get(`${side}:${node.dataset.node}`);
      if (edge) {
        edge.classList.add("path");
        edge.parentNode.insertBefore(edge, this.lastEdge());
      }
      if (node !== from) node.classList.add("path");
      node = node.dataset.parent === undefined ? null : this.nodes.get(`${side}:${node.dataset.parent}`);
    }
  }

  lastEdge() {
    const edges = this.svg.querySelectorAll(".edge");
    return edges[edges.length - 1].nextSibling;
  }

  choose(word) {
    this.svg.querySelectorAll(".cell.chosen").forEach((cell) => cell.classList.remove("chosen"));
    if (word === null || word === undefined) return;
    this.svg.querySelectorAll(`.cell[data-word="${Number(word)}"]`).forEach((cell) => cell.classList.add("chosen"));
  }
}

class Viewer {
  constructor(mount) {
    this.root = make("div", "viewer");
    this.grid = make("div", "panels");
    this.legend = make("div", "legend");
    this.root.append(this.grid, this.legend);
    mount.append(this.root);
    this.panels = new Map();
    this.pinned = null;
    this.hovered = null;
    this.sizes = new ResizeObserver(() => {
      // Styles and columns arrive after the first call; the first view waits for them.
      for (const panel of this.panels.values()) if (panel.svg && !panel.touched) panel.start();
    });
    this.sizes.observe(this.grid);
  }

  update(component) {
    const { data } = component;
    this.component = component;
    followTheme(this.root);
    const before = this.subject === undefined ? remembered.get(data.id) : null;
    const same = this.subject === data.subject;
    this.subject = data.subject;
    this.id = data.id;
    if (!same) {
      this.pinned = null;
      this.hovered = null;
      this.flashed = null;
    }
    this.opened = new Set(data.opened);
    const kinds = data.panels.map((panel) => panel.kind);
    for (const [kind, panel] of this.panels) {
      if (!kinds.includes(kind)) {
        panel.root.remove();
        this.panels.delete(kind);
      }
    }
    data.panels.forEach((shown, place) => {
      let panel = this.panels.get(shown.kind);
      if (!panel) {
        panel = new Panel(this, shown.kind);
        this.panels.set(shown.kind, panel);
      }
      if (this.grid.children[place] !== panel.root) this.grid.insertBefore(panel.root, this.grid.children[place] || null);
      panel.show(shown, same);
      panel.choose(data.word);
      panel.sides.forEach((side, index) => {
        side.textContent = data.sides ? data.sides[index] : "";
        side.hidden = !data.sides;
      });
      panel.svg.querySelectorAll(":scope > text").forEach((text) => {
        text.classList.toggle("named", Boolean(data.sides && data.sides.includes(text.textContent)));
      });
    });
    this.grid.classList.toggle("two", data.panels.length > 1);
    if (this.legendSource !== data.legend.join("")) {
      this.legendSource = data.legend.join("");
      const helps = [make("span", "with-pointer", data.help), make("span", "with-finger", data.touch_help)];
      this.legend.replaceChildren(...data.legend.map(adopt), ...helps);
    }
    if (before && before.subject === data.subject) {
      this.pinned = before.pinned;
      for (const [kind, scale, center] of before.panels) {
        const panel = this.panels.get(kind);
        if (!panel) continue;
        panel.touched = true;
        panel.apply(scale);
        panel.goTo(center);
      }
    }
    this.paint();
    const flash = data.highlight ? JSON.stringify(data.highlight) : null;
    if (flash !== null && flash !== this.flashed) this.flash(data.highlight);
    this.flashed = flash;
  }

  // Panels zoom and scroll together.
  lead(panel) {
    for (const other of this.panels.values()) {
      if (other === panel) continue;
      other.touched = true;
      other.follow(panel);
    }
  }

  remember() {
    const panels = [...this.panels.values()].filter((panel) => panel.svg && panel.scale);
    remembered.set(this.id, {
      subject: this.subject,
      pinned: this.pinned,
      panels: panels.map((panel) => [panel.kind, panel.scale, panel.center()]),
    });
  }

  paint() {
    const reference = this.hovered || this.pinned;
    for (const panel of this.panels.values()) {
      panel.light(reference, false);
      panel.readout.classList.toggle("pinned", Boolean(this.pinned));
      if (this.pinned && !this.hovered) panel.readout.textContent += " — pinned";
    }
  }

  hover(reference) {
    this.hovered = this.pinned ? null : reference;
    this.paint();
  }

  pin(reference) {
    const same = this.pinned && this.pinned.side === reference.side && this.pinned.node === reference.node;
    this.pinned = same ? null : reference;
    this.hovered = null;
    this.paint();
    this.remember();
  }

  unpin() {
    this.pinned = null;
    this.hovered = null;
    this.paint();
    this.remember();
  }

  flash(highlight) {
    const [gold, test] = Array.isArray(highlight) ? highlight : [null, null];
    let reference = gold !== null ? { side: "gold", node: String(gold) } : { side: "test", node: String(test) };
    if (!Array.isArray(highlight)) reference = highlight;
    this.pinned = reference;
    for (const panel of this.panels.values()) {
      const shown = panel.light(reference, true);
      if (shown) panel.reveal(shown);
    }
  }

  choose(word) {
    for (const panel of this.panels.values()) panel.choose(word);
    this.component.setTriggerValue("word", word);
  }

  fold(node, open) {
    if (!Number.isInteger(node)) return;
    if (open) this.opened.add(node);
    else this.opened.delete(node);
    this.component.setStateValue("opened", { subject: this.subject, nodes: [...this.opened] });
  }
}

export default function mountViewer(component) {
  const { parentElement } = component;
  let viewer = viewers.get(parentElement);
  if (!viewer || !parentElement.contains(viewer.root)) {
    viewer = new Viewer(parentElement);
    viewers.set(parentElement, viewer);
  }
  styleDrawings(component);
  const version = (viewer.version || 0) + 1;
  viewer.version = version;
  viewer.update(component);
  return () => {
    if (viewer.version !== version) return; // a later call has taken over
    viewer.remember();
    viewer.sizes.disconnect();
    viewer.root.remove();
    viewers.delete(parentElement);
  };
}
