// Keys of a lesson, and the browser's full screen.

const rooms = new WeakMap(); // mount point -> room; outlasts reruns
let open = 0; // rooms that listen: between two steps one may go after the next has come
let asked = { step: 0, until: 0 }; // keys may be pressed faster than steps are drawn
const PATIENCE = 4000; // milliseconds
const SENT = 60; // milliseconds after which a field that lost the focus has sent its number

const FIELDS = "input, textarea, select, [contenteditable=''], [contenteditable=true], [role=textbox], [role=slider], [role=combobox], [role=listbox], [role=menu], [role=tablist], [role=dialog]";
const NUMBERS = "input[type=number], [class*=st-key-task_] input"; // V and page keys do not edit them
const PRESSED = "button, a[href], summary, [role=button], [role=link]"; // Space is theirs

// The elements around an event, those inside components included.
function around(event) {
  return event.composedPath().filter((one) => one instanceof Element);
}

// Have screen readers read the new step from its heading.
function focusHeading() {
  const heading = document.querySelector(".st-key-lesson_title h2");
  if (!heading || document.activeElement?.matches(FIELDS)) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

class Room {
  constructor() {
    this.leaving = false;
    this.keyed = (event) => this.key(event);
    this.clicked = (event) => {
      if (around(event).some((one) => one.matches(this.data.button))) this.turn();
    };
    this.changed = () => {
      if (!document.fullscreenElement && this.data.whole && !this.leaving) this.component.setTriggerValue("leave", true);
      this.leaving = false;
    };
    document.addEventListener("keydown", this.keyed);
    document.addEventListener("click", this.clicked, true);
    document.addEventListener("fullscreenchange", this.changed);
    open += 1;
  }

  update(component) {
    this.component = component;
    this.data = component.data;
    if (this.data.step === asked.step) asked.until = 0;
    if (this.shown !== undefined && this.shown !== this.data.step) setTimeout(focusHeading, SENT);
    this.shown = this.data.step;
  }

  // The step that is shown, or soon will be.
  get step() {
    return Date.now() < asked.until ? asked.step : this.data.step;
  }

  close() {
    document.removeEventListener("keydown", this.keyed);
    document.removeEventListener("click", this.clicked, true);
    document.removeEventListener("fullscreenchange", this.changed);
    open -= 1;
    setTimeout(() => {
      if (!open && document.fullscreenElement) document.exitFullscreen().catch(() => {});
    }, 1000);
  }

  // The page's button turns the page; this turns the screen.
  turn() {
    if (this.data.whole) {
      this.leaving = Boolean(document.fullscreenElement);
      if (this.leaving) document.exitFullscreen().catch(() => {});
    } else document.documentElement.requestFullscreen?.().catch(() => {});
  }

  // Leave a number field after Enter, V or a page key, so that the keys of the lesson work again; the field sends its
  // number when it loses the focus. Return whether nothing else is to be done.
  leave(event, number) {
    const isShown = event.key.toLowerCase() === "v" && !event.shiftKey;
    if (event.key !== "Enter" && !isShown && !event.key.startsWith("Page")) return false;
    setTimeout(() => {
      number.blur();
      if (isShown) setTimeout(() => document.querySelector(this.data.answer)?.click(), SENT);
    });
    if (isShown) event.preventDefault();
    return event.key === "Enter" || isShown;
  }

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const path = around(event);
    const number = path.find((one) => one.matches(NUMBERS));
    if (number && this.leave(event, number)) return;
    if (path.some((one) => one.matches(FIELDS)) && !(number && event.key.startsWith("Page"))) return;
    if (event.key.toLowerCase() === "f" && !event.shiftKey && !event.repeat) {
      this.turn();
      return;
    }
    if (event.key === " " && path.some((one) => one.matches(PRESSED))) return;
    const to = {
      ArrowLeft: this.step - 1,
      PageUp: this.step - 1,
      ArrowRight: this.step + 1,
      PageDown: this.step + 1,
      " ": this.step + (event.shiftKey ? -1 : 1),
      Home: 1,
      End: this.data.last,
    }[event.key];
    if (to === undefined || (event.shiftKey && event.key !== " ")) return;
    event.preventDefault();
    if (to < 1 || to > this.data.last || to === this.step) return;
    asked = { step: to, until: Date.now() + PATIENCE };
    this.component.setTriggerValue("step", to);
  }
}

export default function (component) {
  const { parentElement } = component;
  let room = rooms.get(parentElement);
  if (!room) {
    room = new Room();
    rooms.set(parentElement, room);
  }
  room.update(component);
  return () => {
    rooms.delete(parentElement);
    room.close();
  };
}
