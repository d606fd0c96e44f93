"""Formulas back to writing, as they were read: plain text that reads back to the same tree, and LaTeX."""

from apps.providers.builtin.strengths import ATOM, NEGATION, POSTFIX, POWER, PRODUCT, RELATION, REMAINDER, SUM
from apps.providers.builtin.syntax import Node

_STRENGTH = {
    "rel": RELATION, "add": SUM, "sub": SUM, "neg": NEGATION, "mul": PRODUCT, "div": PRODUCT, "mod": REMAINDER,
    "derivative": NEGATION, "limit": SUM, "pow": POWER, "fact": POSTFIX, "percent": POSTFIX, "degree": POSTFIX,
}  # fmt: skip
_SIGNS = {"add": " + ", "sub": " - ", "mul": "*", "div": "/", "mod": " mod "}
_POSTFIXES = {"fact": "!", "percent": "%", "degree": "°"}
_PLAIN_RELATIONS = {"<=": "≤", ">=": "≥", "!=": "≠"}
_PLAIN_CONSTANTS = {"pi": "π", "oo": "∞"}
_LATEX_RELATIONS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "→": r"\to"}
_LATEX_CONSTANTS = {"pi": r"\pi", "oo": r"\infty"}
_LATEX_LETTERS = {
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "θ": r"\theta", "λ": r"\lambda", "μ": r"\mu",
    "φ": r"\varphi", "ω": r"\omega", "ε": r"\varepsilon", "ρ": r"\rho", "σ": r"\sigma", "τ": r"\tau",
}  # fmt: skip
_LATEX_FUNCTIONS = frozenset(("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "exp", "ln", "log", "gcd"))
_LATEX_INVERSES = {"asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan"}


# --- plain text ------------------------------------------------------------------------------------
def plain(node: Node) -> str:
    """Write the formula as text; reading it again gives the same tree."""
    parts = node.args
    match node.head:
        case "num" | "sym":
            return node.text
        case "const":
            return _PLAIN_CONSTANTS.get(node.text, node.text)
        case "neg":
            return f"-{_plain_inside(parts[0], NEGATION + 1)}"
        case "add" | "sub" | "mul" | "div" | "mod":
            left, right = _plain_inside(parts[0], _STRENGTH[node.head]), _plain_inside(parts[1], _STRENGTH[node.head] + 1)
            return f"{left}{_SIGNS[node.head]}{right}"
        case "pow":
            return f"{_plain_inside(parts[0], ATOM)}^{_plain_inside(parts[1], ATOM)}"
        case "fact" | "percent" | "degree":
            return f"{_plain_inside(parts[0], ATOM)}{_POSTFIXES[node.head]}"
        case "abs":
            return f"abs({plain(parts[0])})"
        case "rel":
            return _chain(node, [plain(part) for part in parts], _PLAIN_RELATIONS)
    return _plain_rest(node)


def _plain_inside(node: Node, strength: int) -> str:
    text = plain(node)
    return f"({text})" if _STRENGTH.get(node.head, ATOM) < strength else text


def _plain_rest(node: Node) -> str:
    parts = [plain(part) for part in node.args]
    match node.head:
        case "interval":
            return f"{node.text[0]}{', '.join(parts)}{node.text[1]}"
        case "list":
            return f"({', '.join(parts)})"
        case "side":
            return parts[0] + node.text
        case "integral":
            bounds = f"_({parts[2]})^({parts[3]})" if len(parts) == 4 else ""
            return f"∫{bounds} ({parts[0]}) d{parts[1]}"
        case "derivative":
            order = "" if node.text == "1" else f"^{node.text}"
            return f"d{order}/d{parts[1]}{order} ({parts[0]})"
        case "limit":
            return f"lim_({parts[1]}→{parts[2]}{'' if node.text == '+-' else node.text}) ({parts[0]})"
    if node.text == "log" and len(parts) == 2:
        return f"log_({parts[1]})({parts[0]})"
    return f"{node.text}({', '.join(parts)})"


# --- LaTeX -----------------------------------------------------------------------------------------
def latex(node: Node) -> str:
    """Write the formula in LaTeX, without delimiters."""
    parts = node.args
    match node.head:
        case "num":
            return node.text
        case "sym":
            return _letter(node.text)
        case "const":
            return _LATEX_CONSTANTS.get(node.text, node.text)
        case "neg":
            return f"-{_inside(parts[0], NEGATION + 1)}"
        case "add" | "sub":
            return f"{_inside(parts[0], SUM)} {'+' if node.head == 'add' else '-'} {_inside(parts[1], SUM + 1)}"
        case "mul":
            left, right = _inside(parts[0], PRODUCT), _inside(parts[1], PRODUCT + 1)
            return f"{left}{_times(parts[1])}{right}"
        case "div":
            return rf"\frac{{{latex(parts[0])}}}{{{latex(parts[1])}}}"
        case "pow":
            return _power(*parts)
        case "abs":
            return rf"\left|{latex(parts[0])}\right|"
        case "rel":
            return _chain(node, [latex(part) for part in parts], _LATEX_RELATIONS)
    return _latex_rest(node)


def _chain(node: Node, sides: list[str], signs: dict[str, str]) -> str:
    written = [sides[0]]
    for sign, side in zip(node.text.split(","), sides[1:], strict=True):
        written += [signs.get(sign, sign), side]
    return " ".join(written)


def _letter(name: str) -> str:
    base, _, index = name.partition("_")
    return _LATEX_LETTERS.get(base, base) + (f"_{{{index}}}" if index else "")


def _times(right: Node) -> str:
    """Return the sign between factors: a dot before a digit, nothing but a space else."""
    first = right
    while first.head in ("pow", "mul", "fact", "percent", "degree", "div"):
        first = first.args[0]
    return r" \cdot " if first.head == "num" else " "


def _inside(node: Node, strength: int) -> str:
    return rf"\left({latex(node)}\right)" if _STRENGTH.get(node.head, ATOM) < strength else latex(node)


def _power(base: Node, exponent: Node) -> str:
    if base.head == "call" and base.text in _LATEX_FUNCTIONS and len(base.args) == 1 and base.text != "exp":
        return rf"\{base.text}^{{{latex(exponent)}}}\left({latex(base.args[0])}\right)"
    return f"{_inside(base, ATOM)}^{{{latex(exponent)}}}"


def _latex_rest(node: Node) -> str:
    parts = [latex(part) for part in node.args]
    match node.head:
        case "fact":
            return f"{_inside(node.args[0], ATOM)}!"
        case "percent":
            return rf"{_inside(node.args[0], ATOM)}\%"
        case "degree":
            return rf"{_inside(node.args[0], ATOM)}^{{\circ}}"
        case "mod":
            return rf"{_inside(node.args[0], REMAINDER)} \bmod {_inside(node.args[1], REMAINDER + 1)}"
        case "interval":
            return rf"\left{node.text[0]}{parts[0]}, {parts[1]}\right{node.text[1]}"
        case "list":
            return rf"\left({', '.join(parts)}\right)"
        case "side":
            return f"{parts[0]}^{{{node.text}}}"
        case "integral":
            bounds = rf"_{{{parts[2]}}}^{{{parts[3]}}}" if len(parts) == 4 else ""
            return rf"\int{bounds} {_inside(node.args[0], SUM + 1)} \, d{parts[1]}"
        case "derivative":
            order = "" if node.text == "1" else f"^{{{node.text}}}"
            return rf"\frac{{d{order}}}{{d{parts[1]}{order}}} {_inside(node.args[0], PRODUCT)}"
        case "limit":
            side = "" if node.text == "+-" else f"^{{{node.text}}}"
            return rf"\lim_{{{parts[1]} \to {parts[2]}{side}}} {_inside(node.args[0], SUM + 1)}"
    return _call(node, parts)


def _call(node: Node, parts: list[str]) -> str:
    match node.text, parts:
        case "sqrt", [inner]:
            return rf"\sqrt{{{inner}}}"
        case "root", [inner, index]:
            return rf"\sqrt[{index}]{{{inner}}}"
        case "log", [inner, base]:
            return rf"\log_{{{base}}}\left({inner}\right)"
    name = _LATEX_INVERSES.get(node.text)
    name = name or (f"\\{node.text}" if node.text in _LATEX_FUNCTIONS else rf"\operatorname{{{node.text}}}")
    return rf"{name}\left({', '.join(parts)}\right)"
