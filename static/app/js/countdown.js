// How long a card stays open, counted by the server's clock.
import { lang } from "./dom.js";
import { refresh } from "./news.js";

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const format = new Intl.RelativeTimeFormat(lang, { numeric: "always" });
let counted = null;
let ahead = 0;
let timer = 0;
let asked = 0;

export function inWords(seconds) {
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? UNITS[3];
  return format.format(Math.round(seconds / size), unit);
}

/** Begin to count, for the card that is shown. */
export function countDown() {
  const mark = document.querySelector("[data-expires]");
  if (!mark || mark === counted) return; // it says what the server's clock showed when it was drawn, not now
  counted = mark;
  asked = -1;
  ahead = Date.parse(mark.dataset.now) - Date.now();
  clearInterval(timer);
  timer = setInterval(tick, 1000);
  tick();
}

function tick() {
  const mark = document.querySelector("[data-expires]");
  if (!mark) return clearInterval(timer);
  const left = (Date.parse(mark.dataset.expires) - Date.now() - ahead) / 1000;
  mark.classList.toggle("is-soon", left < 300);
  const words = mark.querySelector("[data-countdown]");
  words.classList.add("is-counting");
  words.textContent = mark.dataset.words.replace("{when}", inWords(Math.max(left, 0)));
  if (left > asked) return;
  asked = left * 2; // ever more rarely: a server that cannot tell what became of the card is not asked every second
  refresh();
}

document.addEventListener("handraise:drawn", countDown);
