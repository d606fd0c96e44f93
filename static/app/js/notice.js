// What is said above the dock: over with the next request. A text that was kept of a card stays until it is sent or dismissed.
import { byId } from "./dom.js";

/** Take away what was said; `form`: a kept text that is on its way. */
export function clearNotice(form = null) {
  for (const each of [...(byId("notice")?.children ?? [])]) if (each === form || !each.matches(".kept")) each.remove();
}

export function putNotice(...parts) {
  clearNotice();
  byId("notice").prepend(...parts);
  return parts;
}

/** Show a notice of the page for a status that carries none of its own. */
export function showNotice(name) {
  const words = byId(`notice-${name}`) ?? byId("notice-500");
  if (byId("notice") && words) putNotice(words.content.cloneNode(true));
}
