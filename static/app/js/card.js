// A card: own text and choices keep each other in order, keys, pages. What it means the server decides.
import { act, byId, isComposing, on } from "./dom.js";
import { countDown } from "./countdown.js";
import { keepDraft } from "./draft.js";
import { editedPlan } from "./plan-card.js";
import { goOn, hasPages, openPage, setUpPages } from "./pages.js";
import { goesOn, hasShortcuts, sends } from "./preferences.js";

export function setUpCard(form) {
  if (!form) return;
  setUpPages(form);
  countDown();
}

const field = (element) => element.closest(".field");
const choices = (fieldset) => [...fieldset.querySelectorAll("[data-choice], [data-own-choice]")];

/** Return the texts typed into a card. */
export function typedIn(form) {
  const texts = form.querySelectorAll("[data-text], [data-own-text], [data-text-kept]");
  return [...[...texts].map((each) => each.value.trim()), editedPlan(form)].filter(Boolean).join("\n\n");
}

/** Return all that is filled in, in words: what a person would want back. */
export function filledIn(form) {
  const parts = [...form.querySelectorAll(".field")].map((each) => ({ question: legend(each), answer: answerIn(each) }));
  const filled = parts.filter((part) => part.answer);
  if (parts.length < 2) return typedIn(form);
  return filled.map((part) => `${part.question}\n${part.answer}`).join("\n\n");
}

const legend = (fieldset) => fieldset.querySelector(".legend-question").textContent.trim();

export function answerIn(fieldset) {
  const chosen = choices(fieldset).filter((input) => input.checked && "choice" in input.dataset);
  const labels = chosen.map((input) => input.labels[0].textContent.trim());
  const text = fieldset.querySelector("[data-text], [data-own-text]")?.value.trim();
  return [...labels, text].filter(Boolean).join(", ");
}

// --- own text and choices -----------------------------------------------------------------------
on("input", "[data-own-text]", (_event, text) => {
  const own = field(text).querySelector("[data-own-choice]");
  if (own && text.value.trim()) own.checked = true;
});

// By a pointer, which wants to write there; a key may be only on its way through, and must change no choice.
on("click", "[data-own-text]", (_event, text) => restore(text));

on("change", "[data-choice]", (_event, input) => {
  const text = field(input).querySelector("[data-own-text]");
  if (input.type !== "radio" || !text || !input.checked || !text.value) return;
  text.dataset.kept = text.value;
  text.value = "";
});

on("change", "[data-own-choice]", (_event, input) => {
  const text = field(input).querySelector("[data-own-text]");
  restore(text);
});

/** Bring back the own text that a choice has cleared. */
function restore(text) {
  if (text.value || !text.dataset.kept) return;
  text.value = text.dataset.kept;
  delete text.dataset.kept;
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

function unskip(event) {
  const fieldset = event.target.closest(".field");
  const mark = fieldset?.querySelector("[data-skip]");
  if (mark && event.target !== mark) mark.checked = false;
  if (fieldset) fieldset.dataset.isChanged = "true";
}

on("input", "#card-form", (event, form) => {
  unskip(event);
  keepDraft(form);
});
on("change", "#card-form", (event, form) => {
  unskip(event);
  keepDraft(form);
});

// --- keys -----------------------------------------------------------------------------------------
on("keydown", "#card-form [data-choice], #card-form [data-own-choice]", (event, input) => {
  if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (hasShortcuts && /^[1-9]$/.test(event.key)) chooseByDigit(event, input);
  if (event.key === "Enter") chooseAndGoOn(event, input);
});

function chooseByDigit(event, input) {
  const wanted = choices(field(input))[Number(event.key) - 1];
  if (!wanted) return;
  event.preventDefault();
  wanted.focus();
  wanted.click();
  if ("ownChoice" in wanted.dataset) field(input).querySelector("[data-own-text]").focus();
  else if (wanted.type === "radio") goOnToNext(input.form);
}

function chooseAndGoOn(event, input) {
  event.preventDefault();
  const stays = !goesOn && !input.checked && input.type === "radio" && hasPages(input.form);
  if (!input.checked) input.click();
  if ("ownChoice" in input.dataset) field(input).querySelector("[data-own-text]").focus();
  else if (!stays) goOn(input.form);
}

on("keydown", "#card-form [data-text], #card-form [data-own-text]", (event, text) => {
  const isEnter = event.key === "Enter" && !isComposing(event);
  // A field of one line would hand in the card by itself, whatever was chosen.
  if (isEnter && (sends(event) || text.matches("input"))) event.preventDefault();
  if (sends(event)) goOn(text.form);
});

on("keydown", "#card-form [data-plan]", (event, text) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || isComposing(event)) return;
  event.preventDefault();
  const button = text.form.querySelector(`[name=decision][value=${text.dataset.plan}]`);
  if (button) text.form.requestSubmit(button);
});

/** A single choice leads on to the next question, but never hands anything in. */
function goOnToNext(form) {
  if (goesOn && hasPages(form)) goOn(form, { isByChoice: true });
}

// A pointer has chosen: a label's click makes a second one on its input, so the page must still be the same.
on("click", "#card-form .option", (event, option) => {
  const input = option.querySelector("[data-choice]");
  if (event.pointerType && input?.type === "radio" && event.target.closest("label, input") && !event.target.closest("textarea")) {
    const { form } = input;
    const page = form.dataset.page;
    setTimeout(() => input.checked && form.dataset.page === page && goOnToNext(form), 180);
  }
});

// --- errors ---------------------------------------------------------------------------------------
act("go", (link, event) => {
  event.preventDefault();
  openPage(byId("card-form"), link.dataset.key);
});
