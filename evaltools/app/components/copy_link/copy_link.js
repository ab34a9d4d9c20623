// Copies the address of the page. Browsers allow it only on https and on this computer.

const mounted = new WeakMap(); // mount point -> button; outlasts reruns
const SHOWN = 4000; // milliseconds

class CopyLink {
  constructor(mount) {
    this.root = make("div", "copy");
    this.button = this.root.appendChild(make("button", "", "Copy link"));
    this.button.type = "button";
    this.button.addEventListener("click", () => this.copy());
    this.field = this.root.appendChild(make("input"));
    this.field.readOnly = true;
    this.field.hidden = true;
    this.field.setAttribute("aria-label", "Link of this page");
    this.status = this.root.appendChild(make("span", "status"));
    this.status.setAttribute("role", "status");
    mount.append(this.root);
  }

  async copy() {
    const link = window.location.href;
    clearTimeout(this.timer);
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      this.field.hidden = false;
      this.field.value = link;
      this.field.focus();
      this.field.select();
      this.status.textContent = "Select and copy the link: this browser does not allow the button to copy it.";
      return;
    }
    this.field.hidden = true;
    this.status.textContent = "Link copied.";
    this.timer = setTimeout(() => (this.status.textContent = ""), SHOWN);
  }

  // What is shown has another link now.
  update() {
    if (!this.field.hidden && this.field.value !== window.location.href) {
      this.field.hidden = true;
      this.status.textContent = "";
    }
  }
}

export default function (component) {
  const { parentElement } = component;
  let copier = mounted.get(parentElement);
  if (!copier || !copier.root.isConnected) {
    copier = new CopyLink(parentElement);
    mounted.set(parentElement, copier);
  }
  copier.update();
}
