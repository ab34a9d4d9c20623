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
function running(words, places) {
  const text = make("span", "text");
  const marks = new Set(places);
  text.dir = "auto";
  words.forEach((word, place) => {
    if (place) text.append(make("span", marks.has(place) && marks.has(place - 1) ? "marked gap" : "", " "));
    text.append(make("span", marks.has(place) ? "marked" : "", word));
  });
  return text;
}

const MAX_FORMULA = 18, MAX_PART = 22; // letters of a formula, and of a part of one, that stay on one line

// A formula: a short one stays whole, a long one breaks before a denominator rather than inside a bracket.
function breakable(className, formula) {
  const element = make("span", className);
  const parts = formula.length <= MAX_FORMULA ? [formula] : formula.split(/ (?=\/ )/u);
  parts.forEach((part, place) => {
    element.append(place ? " " : "", make("span", part.length <= MAX_PART ? "whole" : "", part));
  });
  return element;
}

const MARKS = { missing: "<", spurious: ">", relabeled: "≠", moved: "»" };

const kinds = {
  // a number stays with its noun and its sign
  answer: (block) => make("p", "answer", block.text.replace(/(\d) (?=[\p{L}%])/gu, "$1\u00a0")),
  note: (block) => make("p", "note", block.text.replace(/(\d) (?=%)/gu, "$1\u00a0")),

  sentence(block) {
    const quoted = make("p", "quoted", block.lead ? `${block.lead} ` : "");
    quoted.append(running(block.words, block.marked));
    return quoted;
  },

  legend(block) {
    const list = make("p", "note legend");
    for (const [status, text] of block.entries) {
      const entry = list.appendChild(make("span", "entry"));
      entry.append(make("span", `sign ${status}`), text);
    }
    return list;
  },

  facts(block) {
    const list = make("dl", "facts");
    for (const [term, value, figure] of block.rows) {
      const shown = make("dd", term ? (figure ? "" : "rest") : "wide");
      for (const part of value.split(/(?<=[._])(?=\p{L})/u)) shown.append(part, make("wbr")); // not within a word if it need not
      shown.title = value;
      if (term) list.append(make("dt", "", term));
      list.append(shown);
      if (term && !figure) continue;
      const remark = make("dd", "remark", figure);
      if (block.remark) remark.title = block.remark;
      list.append(remark);
    }
    return list;
  },

  formulas(block) {
    const table = make("table", "formulas");
    const body = table.appendChild(make("tbody"));
    for (const [title, formula, numbers, value] of block.rows) {
      const row = body.appendChild(make("tr", value ? "" : "group"));
      const head = row.appendChild(make("th", "", title));
      head.scope = value ? "row" : "rowgroup";
      if (!value) {
        head.colSpan = 3;
        head.append(make("span", "remark", formula ? `  ${formula}` : ""));
        continue;
      }
      const middle = row.appendChild(make("td", "formula"));
      middle.append(breakable("symbols", formula), " ", breakable("numbers", numbers ? `= ${numbers}` : ""));
      row.append(make("td", "value", value));
    }
    return table;
  },

  scores(block) {
    const table = make("table", "scores");
    const body = table.appendChild(make("tbody"));
    for (const [title, share, shown, change] of block.rows) {
      const row = body.appendChild(make("tr"));
      row.appendChild(make("th", "", title)).scope = "row";
      const bar = row.appendChild(make("td", "bar"));
      if (share !== null) bar.appendChild(make("span")).style.width = `${100 * Math.max(0, Math.min(1, share))}%`;
      row.append(make("td", "value", shown), make("td", `change ${change[0] === "+" ? "more" : "less"}`, change));
    }
    return table;
  },

  steps(block, component) {
    const list = make("ol", "steps");
    block.rows.forEach(([status, text], place) => {
      const item = list.appendChild(make("li", status + (place === block.chosen ? " chosen" : "")));
      item.append(make("span", "mark", MARKS[status] || ""), make("span", "", text));
      activate(item, () => component.setTriggerValue("step", place));
    });
    return list;
  },

  story(block, component) {
    const list = make("ol", "steps story");
    block.rows.forEach(([status, title, text, remark], place) => {
      const item = list.appendChild(make("li", status + (place === block.chosen ? " chosen" : "")));
      const told = make("span", "told");
      told.append(make("b", "", title), make("span", "", ` ${text}. `), make("span", "remark", remark));
      item.append(make("span", "mark", MARKS[status] || ""), told);
      activate(item, () => component.setTriggerValue("step", place));
    });
    return list;
  },

  anchored(block) {
    const text = make("p", "anchored");
    text.dir = "auto";
    for (const [form, characters, status, says] of block.words) {
      const word = make("span", "piece");
      word.title = says;
      word.append(make("span", `form ${status}`, form), make("span", "characters", characters));
      text.append(word, " ");
    }
    return text;
  },

  triples(block, component) {
    const grid = make("div", "triples");
    for (const [title, remark, rows] of block.columns) {
      const column = grid.appendChild(make("section"));
      const head = column.appendChild(make("h4", "", title));
      head.append(make("span", "remark", remark));
      const list = column.appendChild(make("ol", "steps"));
      for (const [number, status, words, label, value] of rows) {
        const item = list.appendChild(make("li", status + (number === block.chosen ? " chosen" : "")));
        const shown = make("span", "words", words);
        shown.dir = "auto";
        shown.title = words;
        const says = make("span", "says");
        if (label) says.append(make("span", "label", label), " ");
        const said = make("bdi", "", value);
        says.append(said);
        item.append(make("span", "mark", MARKS[status] || ""), shown, says);
        activate(item, () => component.setTriggerValue("step", number));
      }
    }
    return grid;
  },

  marked(block, component) {
    const list = make("ol", "sentences");
    for (const [number, words, places, remark] of block.rows) {
      const figure = block.figures[number] || "";
      const drawings = block.pictures[number];
      const item = list.appendChild(make("li", number === block.chosen ? "chosen" : ""));
      item.dataset.sentence = number;
      activate(item, () => component.setTriggerValue("sentence", number));
      if (drawings) {
        const says = make("span", "says", remark);
        says.append(" ", make("span", "figure", figure));
        item.append(make("span", "number", String(number)), says, fitting(drawings));
        continue;
      }
      const text = running(words, places);
      const below = [remark, figure].filter(Boolean).join(" · ");
      item.append(make("span", "number", String(number)), text, make("span", "remark", below));
    }
    return list;
  },

  pictured(block, component) {
    const list = make("ol", "steps pictured");
    block.rows.forEach(([svg, title, text, figures], place) => {
      const item = list.appendChild(make("li", place === block.chosen ? "chosen" : ""));
      const frame = make("div", "drawing");
      frame.append(adopt(svg));
      const told = make("div", "told");
      told.append(make("p", "title", title), make("p", "", text), make("p", "remark", figures));
      item.append(frame, told);
      activate(item, () => component.setTriggerValue("step", place));
    });
    return list;
  },

  table(block) {
    const table = make("table", "rows");
    const numeric = (place) => (block.numbers.includes(place) ? "number" : "");
    const head = table.appendChild(make("thead")).appendChild(make("tr"));
    block.head.forEach((text, place) => {
      head.appendChild(make("th", numeric(place), text)).scope = "col";
    });
    const body = table.appendChild(make("tbody"));
    for (const [marked, cells] of block.rows) {
      const row = body.appendChild(make("tr", marked ? "marked" : ""));
      cells.forEach((text, place) => {
        const cell = row.appendChild(make(place ? "td" : "th", numeric(place), text));
        cell.dataset.head = block.head[place];
        if (!place) cell.scope = "row";
      });
    }
    return table;
  },

  differences(block, component) {
    const frame = make("div", "scrolled");
    const table = frame.appendChild(make("table", "rows differences"));
    const head = table.appendChild(make("thead")).appendChild(make("tr"));
    for (const text of block.head) head.appendChild(make("th", "", text)).scope = "col";
    const body = table.appendChild(make("tbody"));
    for (const [position, chosen, cells] of block.rows) {
      const row = body.appendChild(make("tr", chosen ? "marked" : ""));
      cells.forEach((pieces, place) => {
        const cell = row.appendChild(make(place === 1 ? "th" : "td"));
        cell.dataset.head = block.head[place];
        if (!pieces.length) cell.className = "empty";
        const said = place === 1 && position !== null ? cell.appendChild(make("span", "word")) : cell;
        for (const [status, text] of pieces) {
          const piece = make("bdi", `piece ${status}`, text);
          if (status) piece.title = status === "missing" ? "only in the first" : "only in the second";
          said.append(piece, " ");
        }
        if (place === 1) cell.scope = "row";
        if (said !== cell) activate(said, () => component.setTriggerValue("word", position));
      });
    }
    return frame;
  },

  picture(block, component) {
    const frame = make("div", `picture${block.fit ? " fit" : ""}`);
    const svg = adopt(block.svg);
    (block.clickable || []).forEach((node, place) => {
      const shape = svg.querySelector(`.node[data-node="${Number(node)}"]`);
      if (!shape) return;
      shape.classList.add("clickable");
      shape.classList.toggle("picked", place === block.chosen);
      activate(shape, () => component.setTriggerValue("step", place));
    });
    if (block.fit) {
      frame.style.setProperty("--own-width", `${svg.getAttribute("width")}px`);
      frame.style.setProperty("--own-height", `${svg.getAttribute("height")}px`);
      frame.style.setProperty("--width", svg.getAttribute("width"));
      frame.style.setProperty("--height", svg.getAttribute("height"));
      frame.style.setProperty("--fit", `${block.fit}vh`);
      frame.style.setProperty("--least", block.least / 100);
    }
    frame.append(svg);
    if (!(block.wider || []).length) return frame;
    let width = 0;
    new ResizeObserver(() => {
      const [best, source] = block.wider.filter(([own]) => own <= frame.clientWidth + 1).pop() || [0, block.svg];
      if (best !== width) frame.replaceChildren(adopt(source));
      width = best;
    }).observe(frame);
    return frame;
  },

  pictures(block) {
    const frame = make("div", "pictures");
    for (const [title, svg] of block.drawn) {
      const figure = frame.appendChild(make("figure"));
      if (title) figure.append(make("figcaption", "", title));
      figure.appendChild(make("div", "picture")).append(adopt(svg));
    }
    return frame;
  },

  strip(block, component) {
    const frame = make("div", "strip");
    frame.dir = "auto";
    for (const [form, position, says, alone, light, lightInk, dark, darkInk] of block.words) {
      const chosen = position !== null && position === block.chosen;
      const word = make("span", `word${position === null ? " left-out" : ""}${alone ? " alone" : ""}${chosen ? " chosen" : ""}`, form);
      word.style.setProperty("--light", light);
      word.style.setProperty("--light-ink", lightInk);
      word.style.setProperty("--dark", dark);
      word.style.setProperty("--dark-ink", darkInk);
      word.title = says;
      word.setAttribute("aria-label", `${form}: ${says}`);
      if (position !== null) {
        word.dataset.word = position;
        activate(word, () => component.setTriggerValue("word", position));
      }
      frame.append(word);
    }
    const scale = make("div", "scale");
    const gradient = (colours) => `linear-gradient(to right, ${colours.join(", ")})`;
    const bar = make("span", "bar");
    bar.style.setProperty("--light", gradient(block.scale[0]));
    bar.style.setProperty("--dark", gradient(block.scale[1]));
    scale.append(make("span", "", "0"), bar, make("span", "", "1"));
    const both = make("div");
    both.append(frame, scale);
    return both;
  },
};

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
  root.replaceChildren(
    ...data.blocks.flatMap((block) => {
      const shown = kinds[block.type](block, component);
      return block.heading ? [make("h4", "", block.heading), shown] : [shown];
    }),
  );
  if (focus >= 0) root.querySelectorAll("[tabindex]")[focus]?.focus({ preventScroll: true });
  root.querySelectorAll(".steps, .picture, .sentences").forEach((box, place) => {
    if (scrolled[place]) box.scrollTo(...scrolled[place]);
  });
}
