// A field of text that is sent to Python whenever one pauses, and in which mistakes are marked.
// The marks lie behind the field, in a copy of its text. Text goes into the page as textContent only.

const fields = new WeakMap(); // mount point -> field; outlasts reruns
const PAUSE = 350; // milliseconds

class Field {
  constructor(mount) {
    this.root = make("div", "live");
    const label = make("label");
    this.name = label.appendChild(make("span", "label"));
    this.frame = make("div", "frame");
    this.behind = this.frame.appendChild(make("div", "behind"));
    this.behind.setAttribute("aria-hidden", "true");
    this.box = this.frame.appendChild(make("textarea"));
    this.box.spellcheck = false;
    this.box.autocapitalize = "off";
    label.append(this.frame);
    this.problems = make("ul", "problems");
    this.problems.setAttribute("role", "status");
    this.root.append(label, this.problems);
    mount.append(this.root);
    this.box.addEventListener("input", () => {
      this.mark([]);
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.send(), PAUSE);
    });
    this.box.addEventListener("blur", () => this.send());
    this.box.addEventListener("keydown", (event) => {
      event.stopPropagation(); // letters are no shortcuts of the page here
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.send();
    });
    this.box.addEventListener("scroll", () => this.follow());
  }

  send() {
    clearTimeout(this.waiting);
    if (this.box.value === this.sent) return;
    this.sent = this.box.value;
    this.component.setTriggerValue("text", this.sent);
  }

  follow() {
    this.behind.scrollTop = this.box.scrollTop;
    this.behind.scrollLeft = this.box.scrollLeft;
  }

  update(component) {
    const { data } = component;
    this.component = component;
    followTheme(this.root);
    this.name.textContent = data.label;
    this.name.title = data.hint;
    this.box.rows = data.rows;
    this.box.maxLength = data.longest;
    this.box.placeholder = data.placeholder;
    // What was sent comes back; what is typed meanwhile stays.
    const echo = data.text === this.sent || (data.text.trim() === "" && (this.sent ?? "").trim() === "");
    if (this.sent === undefined || !echo) {
      this.box.value = data.text;
      this.sent = data.text;
    }
    this.mark(this.box.value === data.text ? data.problems : []);
    const items = data.problems.map((problem) => make("li", "", problem.message));
    if (data.more) items.push(make("li", "more", data.more));
    this.problems.replaceChildren(...items);
    this.root.classList.toggle("wrong", data.problems.length > 0);
  }

  mark(problems) {
    const text = this.box.value;
    const places = problems.map((problem) => problem.at).filter((at) => at !== null && at <= text.length);
    const parts = [];
    let done = 0;
    for (const at of [...new Set(places)].sort((a, b) => a - b)) {
      parts.push(document.createTextNode(text.slice(done, at)));
      parts.push(make("mark", "", text.slice(at, at + 1).trim() || "\u00a0"));
      done = at + 1;
    }
    parts.push(document.createTextNode(`${text.slice(done)}\n`));
    this.behind.replaceChildren(...parts);
    this.follow();
  }
}

export default function (component) {
  const { parentElement } = component;
  let field = fields.get(parentElement);
  if (!field || !field.root.isConnected) {
    field = new Field(parentElement);
    fields.set(parentElement, field);
  }
  field.update(component);
}
