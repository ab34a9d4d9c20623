// Follows links to other pages: after what was just written in a field has been sent, and the menu closes where it
// covers the page.

const COVERS = "(max-width: 767px)";
const ENTRY = "[data-testid=stSidebarNavLink]";
const LINK = `${ENTRY}, [data-testid=stPageLink-NavLink]`;
const SENDING = 300; // milliseconds in which a field that was left sends its text

let listens = false;
let written = null; // the field whose text was not yet sent
let left = -Infinity; // when such a field was left

// Without this, the text would come after the click, and the server would open the page of the field again.
function followLater(event) {
  const link = event.target.closest(LINK);
  const rest = left + SENDING - performance.now();
  if (!link || rest <= 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  setTimeout(() => link.click(), rest);
}

function closeMenu(event) {
  if (!window.matchMedia(COVERS).matches || !event.target.closest(ENTRY)) return;
  const close = document.querySelector("[data-testid=stSidebarCollapseButton] button");
  if (close) setTimeout(() => close.click());
}

export default function () {
  if (listens) return;
  listens = true;
  document.addEventListener("input", (event) => (written = event.target), true);
  document.addEventListener("keydown", (event) => event.key === "Enter" && (written = null), true); // sends it
  document.addEventListener("focusout", (event) => {
    if (event.target === written) [written, left] = [null, performance.now()];
  });
  document.addEventListener("click", followLater, true);
  document.addEventListener("click", closeMenu);
}
