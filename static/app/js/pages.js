// Several questions on one card, one at a time, with a page to look everything over at the end.
import { act } from "./dom.js";
import { answerIn } from "./card.js";

const fields = (form) => [...form.querySelectorAll(".field")];
const review = (form) => form.querySelector(".review");
const pageOf = (form) => Number(form.dataset.page ?? 0);

export const hasPages = (form) => Boolean(form.querySelector(".pager"));

export function setUpPages(form) {
  if (!hasPages(form)) return;
  form.classList.add("is-paged");
  form.querySelector(".pager").hidden = false;
  const wrong = fields(form).findIndex((each) => each.classList.contains("has-errors"));
  show(form, Math.max(wrong, 0));
}

/** What was refused and has been changed since is not named any more when a page is turned; the server judges it anew. */
function forgive(form) {
  const summary = form.querySelector("#card-errors");
  for (const fieldset of fields(form).filter((each) => each.dataset.isChanged)) {
    fieldset.classList.remove("has-errors");
    fieldset.querySelector(".field-error")?.remove();
    for (const input of fieldset.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    summary?.querySelector(`[data-key="${CSS.escape(fieldset.dataset.key)}"]`)?.parentElement.remove();
  }
  if (summary && !summary.querySelector("li")) summary.remove();
}

function show(form, page) {
  const all = fields(form);
  const isReview = page >= all.length;
  form.dataset.page = page;
  form.dataset.isReview = isReview;
  all.forEach((each, place) => { each.hidden = place !== page; });
  review(form).hidden = !isReview;
  if (isReview) lookOver(form);
  const count = form.querySelector(".page-count");
  count.textContent = isReview ? count.dataset.review : count.dataset.words.replace("{page}", page + 1).replace("{total}", all.length);
  form.querySelector('[data-act="back"]').disabled = page === 0;
  for (const name of ["skip", "next"]) form.querySelector(`[data-act="${name}"]`).hidden = isReview;
  form.querySelector(".submit-button").hidden = !isReview;
}

function lookOver(form) {
  const words = review(form).dataset;
  for (const line of review(form).querySelectorAll("[data-key]:not(button)")) {
    const fieldset = fields(form).find((each) => each.dataset.key === line.dataset.key);
    const isSkipped = fieldset.querySelector("[data-skip]").checked;
    const answer = isSkipped ? words.skipped : answerIn(fieldset) || words.open;
    line.querySelector(".review-answer").textContent = answer;
    line.classList.toggle("is-open", !isSkipped && !answerIn(fieldset));
  }
}

function focusPage(form) {
  const page = fields(form)[pageOf(form)] ?? review(form);
  const first = page.querySelector("input:checked, input:not([data-skip]), textarea") ?? form.querySelector(".submit-button");
  (page === review(form) ? form.querySelector(".submit-button") : first)?.focus();
}

function turn(form, page) {
  forgive(form);
  show(form, page);
  form.querySelector(".card-body").scrollTop = 0;
  focusPage(form);
}

/** Go to the next question; from the last one to the review, and from there (or without pages) hand in. */
export function goOn(form, { isByChoice = false } = {}) {
  const isLast = pageOf(form) >= fields(form).length - 1;
  if (!hasPages(form) || form.dataset.isReview === "true") {
    form.requestSubmit(form.querySelector(".submit-button"));
  } else if (!(isByChoice && isLast)) {
    turn(form, pageOf(form) + 1);
  }
}

/** Open the page of a question and go into it. */
export function openPage(form, key) {
  const place = fields(form).findIndex((each) => each.dataset.key === key);
  if (place < 0) return;
  if (hasPages(form)) turn(form, place);
  else focusPage(form);
}

act("next", (button) => goOn(button.form));
act("back", (button) => turn(button.form, Math.max(pageOf(button.form) - 1, 0)));
act("skip", (button) => {
  const mark = fields(button.form)[pageOf(button.form)].querySelector("[data-skip]");
  mark.checked = true;
  mark.dispatchEvent(new Event("change", { bubbles: true }));
  turn(button.form, pageOf(button.form) + 1);
});
