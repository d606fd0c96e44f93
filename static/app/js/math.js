// Formulas: KaTeX comes only to pages that have one, and draws in the place of the plain signs that stand there until then.
import { drawn } from "./dom.js";

const folder = document.querySelector("meta[name=handraise-katex]")?.content;
let loading = null;

// These two would write style attributes, which the content security policy refuses.
const macros = { "\\pmb": "\\boldsymbol{#1}", "\\fcolorbox": "\\boxed{#3}" };

function load() {
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${folder}katex.min.css` });
  const script = Object.assign(document.createElement("script"), { src: `${folder}katex.min.js` });
  document.head.append(style, script);
  return new Promise((resolve, reject) => { script.onload = resolve; script.onerror = reject; });
}

export async function drawMath(root) {
  const nodes = root.querySelectorAll(".math:not([data-source])");
  if (!nodes.length || !folder) return;
  loading ??= load();
  try {
    await loading;
  } catch {
    loading = null;
    return;
  }
  for (const node of nodes) draw(node);
}

function draw(node) {
  if (node.dataset.source) return;
  const source = node.dataset.tex ?? node.textContent;
  const plain = node.textContent;
  node.dataset.source = source;
  const options = { displayMode: node.classList.contains("math-display"), throwOnError: true, strict: "ignore", trust: false, maxExpand: 500, maxSize: 20, macros: { ...macros } };
  try {
    katex.render(source, node, options);
  } catch {
    node.textContent = plain;
  }
}

drawn(() => drawMath(document));
