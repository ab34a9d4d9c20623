// Shows blocks of text and drawings. Text from data goes into the page as textContent or XML nodes only.

const mounted = new WeakMap(); // mount point -> root; outlasts reruns

function activate(element, act) {
  element.tabIndex = 0;
  element.setAttribute("role", "button");
  element.addEventListener("click", act);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
}

// A drawing in the widest form that there is room for; it is part of what is clicked, so nothing in it takes the focus.
function fitting(drawings) {
  const frame = make("div", "fitting");
  let drawn = null;
  new ResizeObserver(() => {
    const form = drawings.findLast(([width]) => width <= frame.clientWidth + 1) || drawings[0];
    if (form === drawn || !frame.clientWidth) return;
    drawn = form;
    const svg = adopt(form[1]);
    svg.querySelectorAll("[tabindex]").forEach((node) => node.removeAttribute("tabindex"));
    frame.replaceChildren(svg);
  }).observe(frame);
  return frame;
}

// The words of a sentence, some of them marked.
function running(words, marked) {
  const text = make("span", "text");
  const marks = new Set(marked);
  text.dir = "auto";
  words.forEach((word, at) => {
    if (at) text.append(make("span", marks.has(at) && marks.has(at - 1) ? "marked gap" : "", " "));
    text.append(make("span", marks.has(at) ? "marked" : "", word));
  });
  return text;
}

const MAX_FORMULA = 18, MAX_PART = 22; // letters of a formula, and of a part of one, that stay on one line

// A formula: a short one stays whole, a long one breaks before a denominator rather than inside a bracket.
function breakable(className, formula) {
  const element = make("span", className);
  const parts = formula.length <= MAX_FORMULA ? [formula] : formula.split(/ (?=\/ )/u);
  parts.forEach((part, at) => {
    element.append(at ? " " : "", make("span", part.length <= MAX_PART ? "whole" : "", part));
  });
  return element;
}

const MARKS = { missing: "<", spurious: ">", relabeled: "≠", moved: "»" };

// A text, broken within a word only if it must be.
function broken(className, text) {
  const element = make("span", className);
  for (const part of text.split(/(?<=[._])(?=\p{L})/u)) element.append(part, make("wbr"));
  element.title = text;
  return element;
}

// What a cell has, by the format of its column.
const cells = {
  status: (status) => make("span", "mark", MARKS[status] || ""),
  sentence: ([words, marked, drawings]) => (drawings.length ? fitting(drawings) : running(words, marked)),

  bar(share) {
    const bar = make("span", "bar");
    bar.style.width = `${100 * Math.max(0, Math.min(1, share || 0))}%`;
    return bar;
  },

  pieces(pieces) {
    const cell = make("span", "pieces");
    for (const [status, text] of pieces) {
      const piece = make("bdi", `piece ${status}`, text);
      if (status) piece.title = status === "missing" ? "only in the first" : "only in the second";
      cell.append(piece, " ");
    }
    return cell;
  },
};

function cell(form, name, format, value) {
  if (cells[format]) return cells[format](value);
  if (form === "formulas" && name === "symbols") return breakable(name, value);
  if (form === "formulas" && name === "numbers") return breakable(name, `= ${value}`);
  if (form === "facts" && name === "value") return broken(name, value);
  const shown = make("span", name, value);
  if (form === "triples") [shown.title, shown.dir] = [value, "auto"];
  return shown;
}

// A table, or a list whose rows can be clicked: its form is its class, the names of columns are those of cells.
function table(block, component) {
  const isWord = block.sends === "word";
  const isList = block.keys.length > 0 && block.sends === "step";
  const base = isWord ? "rows " : isList && block.type !== "steps" ? "steps " : "";
  const element = make("table", base + block.type);
  if (block.heads.length) {
    const head = element.appendChild(make("thead")).appendChild(make("tr"));
    block.heads.forEach((text, at) => {
      head.appendChild(make("th", block.columns[at][1] === "interval" ? "number" : "", text)).scope = "col";
    });
  }
  const body = element.appendChild(make("tbody"));
  block.rows.forEach((values, at) => {
    const row = body.appendChild(make("tr", block.marked.includes(at) ? "chosen" : ""));
    const isGroup = block.type === "formulas" && !values.at(-1);
    let box = null;
    values.forEach((value, index) => {
      const [name, format, joined] = block.columns[index];
      if (format === "status") row.classList.add(value || "right");
      if (SPANNING.has(block.type) && value === "" && !joined) {
        if (box) box.colSpan += 1; // the first cell gives its room to the second
        return;
      }
      if (!box || !(joined || isGroup)) {
        const isHead = block.type === "differences" ? index === 1 : index === 0 && format === "text" && !isList;
        const isWide = SPANNING.has(block.type) && index === 1 && !box;
        box = row.appendChild(make(isHead ? "th" : "td", format === "interval" ? `number ${name}` : name));
        if (isHead) box.scope = isGroup ? "rowgroup" : "row";
        if (block.heads.length) box.dataset.head = block.heads[index];
        if (block.hints[index]) box.title = block.hints[index];
        if (isWide) box.colSpan = 2;
        if (isGroup) [row.className, box.colSpan] = ["group", 3];
      } else box.append(" ");
      if (value === "") return;
      const shown = box.appendChild(cell(block.type, name, format, value));
      if (format === "pieces" && !value.length) box.classList.add("empty");
      if (isWord && index === 1 && block.keys[at] !== null) {
        shown.classList.add("word");
        activate(shown, () => component.setTriggerValue("word", block.keys[at]));
      }
    });
    if (block.keys.length && !isWord) {
      if (block.sends === "sentence") row.dataset.sentence = block.keys[at];
      activate(row, () => component.setTriggerValue(block.sends, block.keys[at]));
    }
  });
  if (block.type !== "differences") return element;
  const frame = make("div", "scrolled");
  frame.append(element);
  return frame;
}

const SPANNING = new Set(["facts", "formulas"]); // an empty cell gives its room to the one before it

const kinds = {
  // a number stays with its noun and its sign
  answer: (block) => make("p", "answer", block.text.replace(/(\d) (?=[\p{L}%])/gu, "$1\u00a0")),
  note: (block) => make("p", "note", block.text.replace(/(\d) (?=%)/gu, "$1\u00a0")),
  heading: (block) => make("h4", "", block.text),

  quoted(block) {
    const quoted = make("p", "quoted", block.lead ? `${block.lead} ` : "");
    const marked = block.words.flatMap(([, status], at) => (status ? [at] : []));
    quoted.append(running(block.words.map(([form]) => form), marked));
    return quoted;
  },

  legend(block) {
    const list = make("p", "note legend");
    for (const [text, status] of block.words) {
      const entry = list.appendChild(make("span", "entry"));
      entry.append(make("span", `sign ${status}`), text);
    }
    return list;
  },

  anchored(block) {
    const text = make("p", "anchored");
    text.dir = "auto";
    for (const [form, status, below, hint] of block.words) {
      const word = make("span", "piece");
      word.title = hint;
      word.append(make("span", `form ${status}`, form), make("span", "characters", below));
      text.append(word, " ");
    }
    return text;
  },

  picture(block, component) {
    const frame = make("div", `picture${block.fit ? " fit" : ""}`);
    const [[, narrowest], ...wider] = block.drawn;
    const svg = adopt(narrowest);
    block.keys.forEach((node, at) => {
      const shape = svg.querySelector(`.node[data-node="${Number(node)}"]`);
      if (!shape) return;
      shape.classList.add("clickable");
      shape.classList.toggle("picked", at === block.chosen);
      activate(shape, () => component.setTriggerValue("step", at));
    });
    if (block.fit) {
      frame.style.setProperty("--own-width", `${svg.getAttribute("width")}px`);
      frame.style.setProperty("--own-height", `${svg.getAttribute("height")}px`);
      frame.style.setProperty("--width", svg.getAttribute("width"));
      frame.style.setProperty("--height", svg.getAttribute("height"));
      frame.style.setProperty("--fit", `${block.fit}vh`);
      frame.style.setProperty("--least", block.min_percent / 100);
    }
    frame.append(svg);
    if (!wider.length) return frame;
    let width = 0;
    new ResizeObserver(() => {
      const [best, source] = wider.filter(([own]) => own <= frame.clientWidth + 1).pop() || [0, narrowest];
      if (best !== width) frame.replaceChildren(adopt(source));
      width = best;
    }).observe(frame);
    return frame;
  },

  pictures(block) {
    const figure = make("figure");
    if (block.heading) figure.append(make("figcaption", "", block.heading));
    figure.appendChild(make("div", "picture")).append(adopt(block.drawn[0][1]));
    return figure;
  },

  strip(block, component) {
    const frame = make("div", "strip");
    frame.dir = "auto";
    for (const [form, position, says, alone, light, lightInk, dark, darkInk, below] of block.words) {
      const chosen = position !== null && position === block.chosen;
      const word = make("span", `word${position === null ? " left-out" : ""}${alone ? " alone" : ""}${chosen ? " chosen" : ""}`, form);
      word.style.setProperty("--light", light);
      word.style.setProperty("--light-ink", lightInk);
      word.style.setProperty("--dark", dark);
      word.style.setProperty("--dark-ink", darkInk);
      word.title = says;
      word.setAttribute("aria-label", `${form}: ${says}`);
      if (below) word.append(make("small", "", below));
      if (position !== null) {
        word.dataset.word = position;
        activate(word, () => component.setTriggerValue("word", position));
      }
      frame.append(word);
    }
    const scale = make("div", "scale");
    const gradient = (colors) => `linear-gradient(to right, ${colors.join(", ")})`;
    const bar = make("span", "bar");
    bar.style.setProperty("--light", gradient(block.scale[0]));
    bar.style.setProperty("--dark", gradient(block.scale[1]));
    scale.append(make("span", "", "0"), bar, make("span", "", "1"));
    const both = make("div");
    both.append(frame, scale);
    return both;
  },
};

// A block under its heading; small pictures and lists of triples are in one frame with the neighbors of their kind.
function show(block, component, before) {
  const shown = (kinds[block.type] || table)(block, component);
  if (!BESIDE.has(block.type)) return block.heading ? [make("h4", "", block.heading), shown] : [shown];
  const frame = before?.dataset.kind === block.type ? before : make("div", block.type === "triples" ? "beside" : "pictures");
  frame.dataset.kind = block.type;
  const part = block.type === "triples" ? frame.appendChild(make("section")) : frame;
  if (part !== frame) part.appendChild(make("h4", "", block.heading)).append(make("span", "remark", block.remark));
  part.append(shown);
  return frame === before ? [] : [frame];
}

const BESIDE = new Set(["pictures", "triples"]);

export default function (component) {
  const { parentElement, data } = component;
  let root = mounted.get(parentElement);
  if (!root || !root.isConnected) {
    root = make("div", "blocks");
    parentElement.append(root);
    mounted.set(parentElement, root);
  }
  const scrolled = [...root.querySelectorAll(".steps, .picture, .sentences")].map((box) => [box.scrollLeft, box.scrollTop]);
  styleDrawings(component);
  followTheme(root);
  root.classList.toggle("large", Boolean(data.large));
  const focus = [...root.querySelectorAll("[tabindex]")].indexOf(root.getRootNode().activeElement);
  const elements = [];
  for (const block of data.blocks) elements.push(...show(block, component, elements.at(-1)));
  root.replaceChildren(...elements);
  if (focus >= 0) root.querySelectorAll("[tabindex]")[focus]?.focus({ preventScroll: true });
  root.querySelectorAll(".steps, .picture, .sentences").forEach((box, place) => {
    if (scrolled[place]) box.scrollTo(...scrolled[place]);
  });
}
