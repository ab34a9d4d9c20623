// The contents of a page of chapters. Which one is open stands behind the # of the address: links there are plain
// links, and a change of the address, by whatever way, is sent to Python.

const lists = new WeakMap(); // mount point -> list; outlasts reruns
const NARROW = "(max-width: 640px)";
const STEP = 50; // milliseconds
const STEADY = 30; // steps
const LONGEST = 8000;
const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"];

class Contents {
  constructor(mount) {
    this.root = make("nav", "contents");
    this.root.setAttribute("aria-label", "Contents");
    this.fold = this.root.appendChild(make("details"));
    this.title = this.fold.appendChild(make("summary"));
    this.list = this.fold.appendChild(make("div", "groups"));
    mount.append(this.root);
    const narrow = window.matchMedia(NARROW);
    const fit = () => {
      this.fold.open = !narrow.matches;
    };
    fit();
    const moved = () => {
      if (this.root.isConnected) this.follow();
      else {
        window.removeEventListener("hashchange", moved);
        narrow.removeEventListener("change", fit);
      }
    };
    window.addEventListener("hashchange", moved);
    narrow.addEventListener("change", fit);
    this.narrow = narrow;
  }

  // Tells Python which chapter the address names. Where all are shown, the browser scrolls to it, and that is all.
  follow() {
    const named = window.location.hash.slice(1);
    const wanted = named || this.known[0];
    if (this.narrow.matches) this.fold.open = false;
    if (this.chosen === this.all && named) return;
    if (wanted !== this.chosen && this.known.includes(wanted)) this.component.setStateValue("chapter", wanted);
  }

  // Goes to the beginning of a chapter and stays there while what was shown before gives way, unless the reader moves.
  arrive(chapter) {
    const until = performance.now() + LONGEST;
    let moved = false;
    const stop = () => {
      moved = true;
    };
    for (const kind of MOVES) window.addEventListener(kind, stop, { once: true, passive: true, capture: true });
    let there = 0;
    const hold = () => {
      if (moved || there > STEADY || performance.now() > until || !this.root.isConnected) {
        for (const kind of MOVES) window.removeEventListener(kind, stop, { capture: true });
        return;
      }
      const heading = document.getElementById(chapter);
      if (heading) {
        heading.scrollIntoView();
        there += 1;
      }
      setTimeout(hold, STEP);
    };
    hold();
  }

  // Makes a link go from all chapters to one.
  leave(link) {
    link.addEventListener("click", () => this.component.setStateValue("chapter", this.known[0]));
    return link;
  }

  update(component) {
    const { groups, chosen, all } = component.data;
    const first = this.component === undefined;
    const turned = !first && chosen !== this.chosen;
    this.component = component;
    this.chosen = chosen;
    this.all = all;
    this.known = [...groups.flatMap(([, chapters]) => chapters.map(([id]) => id)), all];
    followTheme(this.root);
    const link = (id, heading) => {
      const one = make("a", id === chosen ? "chosen" : "", heading);
      one.href = `#${id}`;
      if (id === chosen) one.setAttribute("aria-current", "true");
      return one;
    };
    const focus = [...this.list.querySelectorAll("a")].indexOf(this.root.getRootNode().activeElement);
    this.list.replaceChildren(
      ...groups.map(([title, chapters]) => {
        const group = make("div", "group");
        group.append(make("div", "title", title), ...chapters.map(([id, heading]) => link(id, heading)));
        return group;
      }),
      chosen === all ? this.leave(link(this.known[0], "One chapter at a time")) : link(all, "All on one page"),
    );
    if (focus >= 0) this.list.querySelectorAll("a")[focus]?.focus({ preventScroll: true });
    const open = groups.flatMap(([, chapters]) => chapters).find(([id]) => id === chosen);
    this.title.textContent = open ? open[1] : "All on one page";
    if (turned) this.arrive(chosen === all ? this.known[0] : chosen);
    if (!first) return;
    if (window.location.hash) this.follow();
    else if (chosen !== this.known[0]) window.history.replaceState(window.history.state, "", `#${chosen}`);
  }
}

export default function (component) {
  const { parentElement } = component;
  let list = lists.get(parentElement);
  if (!list || !list.root.isConnected) {
    list = new Contents(parentElement);
    lists.set(parentElement, list);
  }
  list.update(component);
}
