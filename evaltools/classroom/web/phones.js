// Asks every other second whether something else is shown, and loads the page again if so.

const INTERVAL = 1500;
const FAILURES = 3; // before the page says that there is no connection

const version = document.body.dataset.version;
const lost = document.getElementById("lost");
let failures = 0;

// After an answer was sent, or the question closed, the page stays where it was.
const AT = "evaltools at";
const ballot = document.querySelector("input[name=ballot]")?.value ?? "";
function keepPlace() {
  sessionStorage.setItem(AT, JSON.stringify([ballot, scrollY]));
}
document.querySelector("form")?.addEventListener("submit", keepPlace);
try {
  const [of, y] = JSON.parse(sessionStorage.getItem(AT)) ?? [];
  if (ballot && of === ballot && !document.querySelector(".marking")) scrollTo(0, y); // a marking is on top
} catch {
  // nothing is remembered
}
sessionStorage.removeItem(AT);

// Have screen readers read what is new, from the heading on.
const heading = document.querySelector("h1");
if (heading) {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

async function look() {
  if (!document.hidden) {
    try {
      const answer = await fetch("now", { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      failures = 0;
      const shown = await answer.text();
      if (version && shown !== version) {
        location.replace("./");
        return;
      }
    } catch {
      failures += 1;
    }
    lost.hidden = failures < FAILURES;
  }
  setTimeout(look, INTERVAL);
}

setTimeout(look, INTERVAL);
