// Closes the menu after an entry is chosen, where it covers the page.

const COVERS = "(max-width: 767px)";
let listens = false;

export default function () {
  if (listens) return;
  listens = true;
  document.addEventListener("click", (event) => {
    if (!window.matchMedia(COVERS).matches || !event.target.closest("[data-testid=stSidebarNavLink]")) return;
    const close = document.querySelector("[data-testid=stSidebarCollapseButton] button");
    if (close) setTimeout(() => close.click());
  });
}
