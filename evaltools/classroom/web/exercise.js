// The page of an exercise: the tree editor, whose edits the server applies, and handing in.

import edit from "./editor.js";

const host = document.getElementById("editor");
const form = host.closest("form");
const ballot = form.elements.ballot.value;
const NAME = "evaltools name"; // given once for all sentences
const shadow = host.attachShadow({ mode: "open" });
const style = shadow.appendChild(document.createElement("link"));
style.rel = "stylesheet";
style.href = "exercise.css";
const mount = shadow.appendChild(document.createElement("div"));
let edits = host.dataset.edits.split(" ").filter(Boolean);
let undone = [];
let last = null; // the data that is shown
let busy = false;
let isWaiting = false; // to be handed in after the edit that is under way

function show(data) {
  last = data;
  edit({ parentElement: mount, data: { ...data, undo: edits.length > 0, redo: undone.length > 0 }, setTriggerValue: change });
}

// Ask the server for the tree after some edits; null if it refuses them, with the reason in the editor.
async function drawn(wanted) {
  const body = new URLSearchParams({ ballot, edits: wanted.join(" ") });
  let problem = "No connection: the tree is unchanged.";
  try {
    const answer = await fetch("draft", { method: "POST", body, cache: "no-store" });
    const data = await answer.json();
    if (answer.ok) return data;
    problem = data.refused;
  } catch {
    // said below
  }
  if (last) show({ ...last, message: problem });
  else host.after(Object.assign(document.createElement("p"), { className: "problem", textContent: problem }));
  return null;
}

async function change(_, { text }) {
  if (busy) return;
  let wanted = [...edits, text];
  let after = [];
  if (text === "undo") [wanted, after] = [edits.slice(0, -1), [edits.at(-1), ...undone]];
  if (text === "redo") [wanted, after] = [[...edits, undone[0]], undone.slice(1)];
  if (text === "reset") [wanted, after] = [[], [...edits, ...undone]];
  busy = true;
  const data = await drawn(wanted);
  busy = false;
  if (data !== null) {
    [edits, undone] = [wanted, after];
    show(data);
  }
  if (isWaiting && data !== null) form.requestSubmit();
  else isWaiting = false;
}

form.addEventListener("submit", (event) => {
  isWaiting = busy;
  if (busy) {
    event.preventDefault();
    return;
  }
  const name = document.getElementById("name")?.value ?? "";
  if (name) localStorage.setItem(NAME, name);
  document.getElementById("answer").value = JSON.stringify({ edits: edits.join(" "), name });
});

let first = await drawn(edits);
if (first === null && edits.length) {
  edits = [];
  first = await drawn(edits);
}
if (first) show(first);

const named = document.getElementById("name");
if (named && !named.value) named.value = localStorage.getItem(NAME) ?? "";
