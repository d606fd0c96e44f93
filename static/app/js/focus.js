// What is drawn anew keeps the focus: on the link of the same address, or on the same part.
const KEEPS = "#sidebar-list, #inbox, #plan-slot, #card-meta";

/** Say where an element stands in a part that keeps the focus, in words that hold for its next drawing. */
export function placeOf(element) {
  if (!element?.closest(KEEPS)) return "";
  const address = element.getAttribute("href");
  return `#${CSS.escape(element.closest("[id]").id)} ${element.localName}${address ? `[href="${CSS.escape(address)}"]` : ""}`;
}

export function focusAgain(place) {
  if (place && document.activeElement === document.body) document.querySelector(place)?.focus({ preventScroll: true });
}
