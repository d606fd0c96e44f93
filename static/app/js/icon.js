// The icon of the tab, with the number of questions that wait.
const link = document.querySelector("link[rel=icon]");
const plain = link?.href;
let drawing = null;
let shown = 0;

const badge = (words) =>
  '<circle cx="22" cy="22" r="10" fill="#b46a00"/>' +
  `<text x="22" y="27" fill="#fff" font-family="sans-serif" font-size="14" font-weight="bold" text-anchor="middle">${words}</text>`;

export async function showInIcon(count) {
  if (!link || count === shown) return;
  shown = count;
  if (!count) {
    link.href = plain;
    return;
  }
  drawing ??= fetch(plain).then((answer) => (answer.ok ? answer.text() : ""));
  const svg = await drawing.catch(() => "");
  if (!svg) drawing = shown = null; // the next drawing of the page tries again
  // The count may have changed meanwhile.
  if (svg && shown === count) link.href = `data:image/svg+xml,${encodeURIComponent(svg.replace("</svg>", `${badge(count > 9 ? "9+" : count)}</svg>`))}`;
}
