// Small helpers around the document.

export const byId = (id) => document.getElementById(id);
export const lang = document.documentElement.lang || "en";
export const main = byId("main");
export const sessionId = main?.dataset.session ?? "";

/** Listen once on the document for an event inside elements that match: parts that come later listen too. */
export function on(event, selector, handler) {
  document.addEventListener(event, (e) => {
    const found = e.target instanceof Element && e.target.closest(selector);
    if (found) handler(e, found);
  });
}

/** Call a handler for clicks on the buttons and links of an act. */
export function act(name, handler) {
  on("click", `[data-act="${name}"]`, (event, element) => handler(element, event));
}

/** Call a handler for each part of the page that was drawn, now or later. */
export function drawn(handler) {
  document.addEventListener("handraise:drawn", () => handler());
  handler();
}

export function announceDrawn() {
  document.dispatchEvent(new CustomEvent("handraise:drawn"));
}

/** Say something to screen readers; the words come from the page, in its language. */
export function say(key) {
  const announcer = byId("announcer");
  if (announcer) announcer.textContent = announcer.dataset[key] ?? "";
}

/** True while an input method puts a word together: Enter belongs to it then. */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;
