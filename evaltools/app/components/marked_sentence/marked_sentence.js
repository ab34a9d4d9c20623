// The marked sentence: a verdict in words over a picture; a repair can be pointed at, or pinned with a click or a digit.
// Text from data goes into the page as XML nodes or textContent only.

const isLow = () => window.innerHeight < 800; // then what stands above the picture takes few rows

const narrow = 640; // pixels

const panels = new WeakMap(); // mount point -> panel; outlasts reruns

class MarkedPanel {
  constructor(parent) {
    this.root = make("div", "marked");
    this.panel = make("section", "panel");
    this.equal = make("p", "equal");
    this.verdicts = make("ol", "verdicts");
    this.rest = make("div", "rest");
    this.pills = make("ul", "pills");
    this.remark = make("p", "also");
    this.rest.append(this.remark, this.pills);
    this.stage = make("div", "stage");
    this.all = make("button", "all", "show all lines");
    this.all.type = "button";
    this.all.hidden = true;
    this.all.addEventListener("click", () => {
      this.whole = this.data.subject;
      this.fold(0);
      this.fit();
    });
    this.legend = make("p", "legend");
    this.marks = make("button", "more", "all marks");
    this.marks.type = "button";
    this.marks.addEventListener("click", () => {
      this.explained = true;
      this.foldLegend();
    });
    this.keys = make("div", "key");
    this.keys.append(this.legend, this.marks);
    this.help = make("p", "help");
    this.tip = make("div", "tip");
    this.tip.hidden = true;
    this.panel.append(this.equal, this.verdicts, this.rest, this.keys, this.stage, this.all, this.help, this.tip);
    this.root.append(this.panel);
    parent.append(this.root);
    this.pinned = 0;
    this.stage.addEventListener("pointerover", (event) => this.point(event.target));
    this.stage.addEventListener("pointerleave", () => this.point(null));
    this.stage.addEventListener("focusin", (event) => this.point(event.target));
    this.stage.addEventListener("focusout", () => this.point(null));
    this.stage.addEventListener("click", (event) => this.choose(event.target));
    this.stage.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        this.choose(event.target);
        event.preventDefault();
      }
    });
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.stage);
  }

  show({ data, setStateValue, setTriggerValue }) {
    this.data = data;
    this.send = setStateValue;
    this.trigger = setTriggerValue;
    this.pinned = data.focus;
    this.shown = this.placed = null;
    followTheme(this.root);
    this.panel.setAttribute("aria-label", data.heading);
    const [first, rest] = [data.verdicts.slice(0, 3), data.verdicts.slice(3)];
    this.equal.textContent = data.verdicts.length ? data.lead : data.empty;
    this.equal.hidden = !this.equal.textContent;
    this.verdicts.replaceChildren(...first.map((verdict) => this.verdict(verdict)));
    this.smaller = data.compact ? [] : rest;
    const more = data.compact && rest.length ? `and ${rest.length} more` : "";
    const remark = [more, data.remark].filter(Boolean).join("; ");
    this.remark.textContent = this.remark.title = remark; // low windows show its beginning
    this.remark.hidden = !remark;
    this.legend.replaceChildren(...data.legend.map(([status, text]) => legendEntry(status, text)));
    this.keys.hidden = data.compact || !data.legend.length;
    this.help.textContent = data.help;
    this.help.hidden = data.compact || !data.keys.length;
    this.fit();
    this.mark(this.pinned);
  }

  verdict(verdict) {
    const button = this.button(verdict);
    const text = make("span", "says");
    text.append(make("span", "phrase", verdict.phrase), ` ${verdict.text}`, ...this.with(verdict));
    const share = make("span", "share");
    const bar = make("i");
    const filled = make("b");
    filled.style.width = `${(100 * verdict.share) / Math.max(1, this.data.total)}%`;
    bar.style.color = `var(--${verdict.status})`;
    bar.append(filled);
    share.append(bar, `${verdict.share} of ${this.data.total} ${this.data.unit}`);
    button.append(text, share);
    const item = make("li");
    item.append(button);
    return item;
  }

  // The smaller errors in a row or two; a button shows those that have no room there.
  pillRow() {
    const rows = isLow() ? 1 : 2;
    const items = this.smaller.map((verdict) => this.pill(verdict));
    this.pills.replaceChildren(...items);
    const isFull = () => items.filter((item, at) => at && item.offsetLeft <= items[at - 1].offsetLeft).length >= rows;
    if (this.unfolded === this.data.subject || !isFull()) return;
    const button = make("button", "more");
    button.type = "button";
    button.addEventListener("click", () => {
      this.unfolded = this.data.subject;
      this.pillRow();
    });
    const more = make("li");
    more.append(button);
    this.pills.append(more);
    items.push(more);
    while (items.length > 2 && isFull()) {
      const [last] = items.splice(items.length - 2, 1);
      last.remove();
      button.textContent = `+ ${this.smaller.length - items.length + 1} more`;
    }
    if (this.smaller.slice(items.length - 1).some((verdict) => verdict.number === this.pinned)) button.click();
  }

  // In low windows the legend has one row; a button shows the marks that have no room there.
  foldLegend() {
    this.legend.classList.toggle("folded", isLow() && !this.explained);
    this.marks.hidden = this.legend.scrollHeight <= this.legend.clientHeight + 2;
  }

  pill(verdict) {
    const button = this.button(verdict);
    button.title = `${verdict.phrase} ${verdict.text} – ${verdict.share} of ${this.data.total} ${this.data.unit}`;
    button.append(` ${verdict.short}`);
    button.append(...this.with(verdict));
    const item = make("li");
    item.append(button);
    return item;
  }

  // The numbers of the errors that it belongs to.
  with(verdict) {
    if (!verdict.together.length) return [];
    const span = make("span", "with", ` with ${verdict.together.join(", ")}`);
    span.title = "these repairs change the same brackets or words";
    return [span];
  }

  button(verdict) {
    const button = make("button");
    button.type = "button";
    button.dataset.repair = verdict.number;
    button.append(make("span", `number ${verdict.status}`, verdict.badge || String(verdict.number)));
    button.addEventListener("click", () => this.pin(verdict.number === this.pinned ? 0 : verdict.number));
    button.addEventListener("pointerenter", () => this.mark(verdict.number));
    button.addEventListener("pointerleave", () => this.mark(this.pinned));
    return button;
  }

  fit() {
    if (!this.data) return;
    const room = this.stage.clientWidth;
    if (!room) return;
    if (this.placed !== room) {
      this.placed = room;
      this.pillRow();
      this.foldLegend();
      this.mark(this.pinned);
    }
    if (!this.data.drawings.length) {
      this.stage.replaceChildren(make("p", "also", this.data.absent));
      this.stage.classList.remove("folded");
      this.all.hidden = true;
      return;
    }
    const whole = this.data.drawings.filter(([width]) => width <= room + 1).pop() || this.data.drawings[0];
    const [, svg] = this.alone(room) || whole;
    if (svg === this.shown) return;
    this.shown = svg;
    const drawing = adopt(svg);
    drawing.querySelectorAll("title").forEach((title) => {
      title.parentNode.dataset.says = title.textContent; // our own tooltip stands at the mark; the browser's would come twice
      title.remove();
    });
    this.stage.replaceChildren(drawing);
    this.fold(drawing.getBoundingClientRect().height);
    this.mark(this.pinned);
  }

  // In narrow windows the repair of a long sentence that is pinned, or else the first; nothing if the whole has room.
  alone(room) {
    if (room >= narrow || this.whole === this.data.subject) return null;
    return this.data.alone.find(([number]) => number === this.pinned) || this.data.alone[0];
  }

  // A drawing higher than two screens shows its first lines, and the others when asked.
  fold(height) {
    const isAlone = Boolean(this.alone(this.stage.clientWidth));
    const isFolded = height > 2 * window.innerHeight && this.whole !== this.data.subject && !isAlone;
    this.stage.classList.toggle("folded", isFolded);
    this.all.textContent = isAlone ? "show the whole sentence" : "show all lines";
    this.all.hidden = !isFolded && !isAlone;
  }

  repairs(element) {
    const group = element && element.closest && element.closest("[data-repair]");
    return group && this.stage.contains(group) ? group.dataset.repair.split(" ").map(Number) : [];
  }

  point(element) {
    const group = element && element.closest ? element.closest(".node, .cell") : null;
    const inside = group && this.stage.contains(group) ? group : null;
    this.stage.querySelectorAll(".covered").forEach((cell) => cell.classList.remove("covered"));
    this.tip.hidden = !(inside && inside.dataset.says);
    if (!inside) {
      this.mark(this.pinned);
      return;
    }
    if (!this.tip.hidden) {
      this.tip.textContent = inside.dataset.says;
      const [box, panel] = [inside.getBoundingClientRect(), this.panel.getBoundingClientRect()];
      this.tip.style.left = `${Math.max(4, Math.min(box.left - panel.left, panel.width - 200))}px`;
      this.tip.style.top = `${box.bottom - panel.top + 6}px`;
    }
    const [start, end] = [Number(inside.dataset.start), Number(inside.dataset.end)];
    const gaps = (inside.dataset.gaps || "").split(" ").filter(Boolean).map((gap) => gap.split("-").map(Number));
    const ends = (inside.dataset.words || "").split(" "); // of arcs
    this.stage.querySelectorAll(".cell").forEach((cell) => {
      const word = Number(cell.dataset.word);
      const inGap = gaps.some(([first, after]) => first <= word && word < after);
      const covered = (start <= word && word < end && !inGap) || ends.includes(cell.dataset.word);
      cell.classList.toggle("covered", cell.dataset.word !== undefined && covered);
    });
    const own = this.repairs(inside);
    if (own.length) this.mark(this.pinned || own[0]);
  }

  choose(element) {
    const own = this.repairs(element);
    if (own.length) this.pin(own[0] === this.pinned ? 0 : own[0]);
  }

  pin(number) {
    this.pinned = number;
    this.fit();
    this.mark(number);
    if (this.send) this.send("focus", number);
  }

  mark(number) {
    this.stage.querySelectorAll("[data-repair], .tag").forEach((group) => {
      const own = (group.dataset.repair || "").split(" ").map(Number);
      group.classList.toggle("faded", number > 0 && !own.includes(number));
    });
    this.panel.querySelectorAll("button[data-repair]").forEach((button) => {
      button.setAttribute("aria-pressed", String(Number(button.dataset.repair) === this.pinned));
    });
  }

  key(event) {
    if (this.data.compact || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.composedPath()[0];
    if (target && target.matches && target.matches("input, textarea, select, [contenteditable='true']")) return;
    if (this.data.keys.includes(event.key.toLowerCase())) this.trigger("key", event.key.toLowerCase());
    if (!/^[0-9]$/.test(event.key)) return;
    const number = Number(event.key);
    if (number <= this.data.verdicts.length) this.pin(number);
  }

  remove() {
    document.removeEventListener("keydown", this.onKey);
    this.observer.disconnect();
  }
}

function legendEntry(status, text) {
  const entry = make("span");
  const marks = { missing: "┄┄", spurious: "━━", relabeled: "━━", moved: "▢ ↑ ×", boxed: "▢", right: "──", follows: "──", gapped: "─ ┈ ─", number: "①", shaded: "▔ ▁", scale: "▓▒░", "only-a": "A ┄┄", "only-b": "B ┈┈", alike: "A B ──" };
  entry.append(make("b", status, marks[status]), ` ${text}`);
  return entry;
}

export default function (component) {
  const { parentElement } = component;
  let panel = panels.get(parentElement);
  if (!panel || !parentElement.contains(panel.root)) {
    panel = new MarkedPanel(parentElement);
    panels.set(parentElement, panel);
  }
  styleDrawings(component);
  const version = (panel.version || 0) + 1;
  panel.version = version;
  panel.show(component);
  return () => {
    if (panel.version !== version) return; // a later call has taken over
    panel.remove();
    panel.root.remove();
    panels.delete(parentElement);
  };
}
