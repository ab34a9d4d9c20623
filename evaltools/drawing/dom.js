// What every component of the app uses; it stands before the component's own script.

// Characters that change the direction of the text are written as codes.
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// A new element; the text is text, never markup.
function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = String(text).replace(DIRECTION, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return element;
}

// A drawing as nodes of this page.
function adopt(source) {
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
  if (parsed.querySelector("parsererror")) throw new Error("The drawing is not well-formed XML.");
  return document.importNode(parsed.documentElement, true);
}

// Give a component the rules of its drawings, once for all of them; drawings may also have their own.
function styleDrawings({ parentElement, data }) {
  if (!data.styles) return;
  let sheet = [...parentElement.children].find((child) => child.matches("style.drawings"));
  if (!sheet) {
    sheet = make("style", "drawings");
    parentElement.prepend(sheet);
  }
  if (sheet.textContent !== data.styles) sheet.textContent = data.styles;
}

// Give an element the class of the page's theme, which decides the colors of the statuses.
function followTheme(root) {
  const dark = isDark(root);
  root.classList.toggle("dark", dark);
  root.classList.toggle("light", !dark);
}

// Whether the page's background is dark.
function isDark(element) {
  const probe = make("span");
  probe.style.color = "var(--st-background-color, #ffffff)";
  element.append(probe);
  const parts = (getComputedStyle(probe).color.match(/[\d.]+/g) || [255, 255, 255]).map(Number);
  probe.remove();
  return 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] < 128;
}
