// Moments in the reader's own zone and words: near ones as "3 minutes ago".
import { drawn, lang } from "./dom.js";
import { inWords } from "./countdown.js";

const absolute = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
const DAY_SECONDS = 86400;

export function showTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    const ahead = (moment - Date.now()) / 1000;
    time.title = absolute.format(moment);
    time.textContent = Math.abs(ahead) < DAY_SECONDS && ahead < 0 ? inWords(Math.min(ahead, -1)) : absolute.format(moment);
  }
}

drawn(() => showTimes(document));
setInterval(() => { if (!document.hidden) showTimes(document); }, 20000);
