"""Formulas are read as people write them, and what has two readings is known to have two."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.providers.builtin.lexer import tokens_of
from apps.providers.builtin.names import formula_tokens
from apps.providers.builtin.readings import read_formula
from apps.providers.builtin.refusals import NotUnderstood, TooLarge
from apps.providers.builtin.render import latex, plain
from apps.providers.builtin.syntax import Node, from_json, number, symbol


def read(text, *chosen):
    """Return tree and fork of a formula."""
    return read_formula(formula_tokens(tokens_of(text), is_integral="∫" in text or r"\int" in text), frozenset(chosen))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("x²+1=0", "x^2 + 1 = 0"),
        ("x⁻¹", "x^(-1)"),
        ("sin^2 x", "sin(x)^2"),
        ("sin2x", "sin(2*x)"),
        ("xsinx", "x*sin(x)"),
        ("2sin3x cos x", "2*sin(3*x)*cos(x)"),
        ("|x-1|", "abs(x - 1)"),
        ("2|x||y|", "2*abs(x)*abs(y)"),
        ("√2", "sqrt(2)"),
        ("∛8", "root(8, 3)"),
        ("x≥2", "x ≥ 2"),
        ("x >= 2", "x ≥ 2"),
        ("3×4÷2−1", "3*4/2 - 1"),
        ("log_2 8", "log_(2)(8)"),
        ("lg 5", "log_(10)(5)"),
        ("10%", "10%"),
        ("30°", "30°"),
        ("5!", "5!"),
        ("-x^2", "-x^2"),
        ("2^3^2", "2^(3^2)"),
        ("a/b/c", "a/b/c"),
        ("xy+1", "x*y + 1"),
        ("x_1+x_2", "x_1 + x_2"),
        ("1<2x+3≤7", "1 < 2*x + 3 ≤ 7"),
        ("（x＋1）＊2", "(x + 1)*2"),
        (r"\frac{1}{2}x", "1/2*x"),
        (r"\sqrt[3]{8}", "root(8, 3)"),
        (r"x^{10}", "x^10"),
        (r"\left(x+1\right)\cdot 2", "(x + 1)*2"),
        (r"\lim_{x \to 0^+} x", "lim_(x→0+) (x)"),
        ("lim x→0+ 1/x", "lim_(x→0+) (1/x)"),
        ("∫_0^1 x² dx", "∫_(0)^(1) (x^2) dx"),
        ("[0, 3)", "[0, 3)"),
    ],
)
def test_ordinary_notation(text, meaning):
    tree, fork = read(text)
    assert (plain(tree), fork) == (meaning, None)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("1/2x", "1/2*x", "1/(2*x)"),
        ("6/2(1+2)", "6/2*(1 + 2)", "6/(2*(1 + 2))"),
        ("cos^-1 x", "acos(x)", "cos(x)^(-1)"),
        ("sin x/2", "sin(x)/2", "sin(x/2)"),
        ("√2x", "sqrt(2)*x", "sqrt(2*x)"),
        ("2^3x", "2^3*x", "2^(3*x)"),
        ("log2(8)", "log(2*8)", "log_(2)(8)"),
        ("7+3 mod 4", "7 + 3 mod 4", "(7 + 3) mod 4"),
        ("∫_0^2π x dx", "∫_(0)^(2) (π*x) dx", "∫_(0)^(2*π) (x) dx"),
        ("x+1=3！", "x + 1 = 3!", "x + 1 = 3"),
    ],
)
def test_notation_with_two_readings_gives_both(text, first, second):
    _, fork = read(text)
    assert [plain(tree) for tree in fork.trees] == [first, second]
    for option, tree in zip(fork.options, fork.trees, strict=True):
        assert read(text, option) == (tree, None)


@pytest.mark.parametrize("text", ["1/(2x)", r"\frac{1}{2x}", "sin(x)/2", "2²x", "e^{2}x", "sin x/x", "√(2)x", "10!", "ln x + 1"])
def test_notation_with_one_reading_is_not_asked_about(text):
    assert read(text)[1] is None


@pytest.mark.parametrize(
    "text",
    [
        *("x2", "2 3", "x 3", "()", "x)", "(x", "x+", "*x", "x.y", "10 % 3", "50 + 20%", "|x", "1..2", "x = = 2", "sin", "y'"),
        *("x±1", "(x=1)+2", "1,000", "lim x→0-x", "log_ 2", "∫ x^2", "gcd(4)", "{x", "[1,2,3)", "5!=120"),
    ],
)
def test_what_does_not_fit_is_named_and_not_guessed(text):
    with pytest.raises(NotUnderstood) as caught:
        read(text)
    assert all(caught.value.parts)


@pytest.mark.parametrize("text", ["(" * 61 + "x" + ")" * 61, "-" * 70 + "x", "+".join("x" * 300), "||" * 40 + "x" + "||" * 40])
def test_nesting_and_length_have_limits(text):
    with pytest.raises(TooLarge):
        read(text)


# --- properties --------------------------------------------------------------------------------------
_LEAVES = st.one_of(
    st.integers(0, 999).map(number),
    st.sampled_from(["0.5", "3.25"]).map(number),
    st.sampled_from("abckmnxyzt").map(symbol),
    st.sampled_from(["pi", "e", "i"]).map(lambda name: Node("const", text=name)),
)


def _grown(parts):
    pair = st.tuples(parts, parts)
    return st.one_of(
        st.builds(lambda head, sides: Node(head, sides), st.sampled_from(["add", "sub", "mul", "div", "pow", "mod"]), pair),
        st.builds(lambda head, part: Node(head, (part,)), st.sampled_from(["neg", "abs", "fact", "degree"]), parts),
        st.builds(lambda name, part: Node("call", (part,), name), st.sampled_from(["sin", "ln", "sqrt", "exp", "atan"]), parts),
        st.builds(lambda part, base: Node("call", (part, base), "log"), parts, st.integers(2, 9).map(number)),
    )


TREES = st.recursive(_LEAVES, _grown, max_leaves=12)


@given(TREES)
def test_a_tree_written_as_text_reads_back_as_the_same_tree(tree):
    assert read(plain(tree), "reading:remainder-last", "inverse:reciprocal")[0] == tree


@given(TREES)
def test_a_tree_survives_json_and_has_latex_with_balanced_braces(tree):
    assert from_json(tree.to_json()) == tree
    assert latex(tree).count("{") == latex(tree).count("}")


_SIGNS = st.sampled_from([*"xyzabe0123456789+-*/^_=<>!|%°'()[]{}.,√∫→ \\²π", "sin", "ln", "lim", "dx", "mod"])


@given(st.lists(_SIGNS, max_size=40).map("".join))
def test_any_formula_is_read_or_refused(text):
    try:
        read(text)
    except (NotUnderstood, TooLarge):
        return
