"""What agents and people write, as HTML that does no harm."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.web.markdown import render, render_line, render_typed
from apps.web.readable import readable

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "[x](javascript:alert(1))",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "![x](https://evil.example/track.png)",
    "<style>*{display:none}</style>",
    '<div hx-get="/settings/" hx-trigger="load" class="card" id="card-form" style="x">',
    "<form action=/sign-out/ method=post><button>",
    "$<img src=x onerror=alert(1)>$",
    "```<script>\nx\n```",
    '[x](https://a.example "\\" onmouseover=alert(1)")',
    "<hx-partial hx-target='#card'>x</hx-partial>",
    "[x](:)",
]
TAG = re.compile(r"<[a-z/][^>]*>")
ALLOWED = re.compile(
    r"</?(blockquote|br|code|del|div|em|h[3-6]|hr|li|ol|p|pre|s|span|strong|table|tbody|td|th|thead|tr|ul)"
    r'( (class="(math|math math-display|host|to-right|to-center)"|class="language-[!-~]*"|start="\d+"|data-tex="[^"<>]*"))*>'
    r'|<a( href="(https?:|mailto:)[^"]*")?( rel="noopener noreferrer nofollow")?>|</a>'
    r'|<a href="(?![A-Za-z][A-Za-z0-9+.-]*:)[^"]*" rel="[a-z ]*">'
)


def assert_harmless(html: str) -> None:
    """Check that every tag is one of those that we write."""
    assert [tag for tag in TAG.findall(html) if not ALLOWED.fullmatch(tag)] == []


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_becomes_no_element_that_acts_h88(text: str) -> None:
    for html in (render(text), render_typed(text), render_line(text)):
        assert_harmless(html)
        assert "<img" not in html


@given(st.text(st.sampled_from("<>&\"'`*_[]()!#$\\/:;-=ahjs \n"), max_size=60))
def test_whatever_is_written_becomes_harmless_html_h88(text: str) -> None:
    for html in (render(text), render_typed(text), render_line(text)):
        assert_harmless(html)


def test_headings_begin_below_those_of_the_page() -> None:
    assert render("# Title").strip() == "<h3>Title</h3>"


def test_a_picture_is_a_link_and_leaves_no_stray_mark() -> None:
    html = render("Look ![a plot](https://a.example/p.png) and hurry\\![there](https://a.example/)")
    assert "Look <a href=" in html
    assert ">a plot</a>" in html
    assert "hurry!<a href=" in html


def test_an_exclamation_before_an_address_stays() -> None:
    assert "See!<a href=" in render("See!<https://a.example/>")


def test_a_link_shows_where_it_leads() -> None:
    assert '<span class="host">(evil.example)</span>' in render("[your bank](https://evil.example/login)")


def test_an_address_is_not_repeated_behind_itself() -> None:
    assert "host" not in render("<https://example.org/a>")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("$x^2$", "x^2"),
        ("so $a_1*b_1$ it is", "a_1*b_1"),
        ("\\(x<1\\)", "x&lt;1"),
        ("$$\n\\int_0^1 x\\,dx\n$$", "\\int_0^1 x\\,dx"),
        ("\\[ a+b \\]", "a+b"),
    ],
)
def test_a_formula_keeps_its_source(text: str, source: str) -> None:
    assert f'data-tex="{source}"' in render(text)
    assert 'class="math' in render(text)


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        (r"x = \pm i", "x = ± i"),
        (r"\frac{a+b}{2} \le \frac{1}{3}", "(a+b)/2 ≤ 1/3"),
        (r"\int_0^1 x^2\,dx", "∫₀¹ x² dx"),
        (r"\lim_{x\to 0} \frac{\sin x}{x}", "lim_(x → 0) (sin x)/x"),
        (r"\log{\left(x \right)} + e^{i \pi}", "log(x) + e^(i π)"),
        (r"\sqrt[3]{x+1}, x \in \mathbb{R}", "³√(x+1), x ∈ ℝ"),
        (r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", "(a, b; c, d)"),
        (r"\text{if } a^{-1}_{ij}", "if a⁻¹ᵢⱼ"),
    ],
)
def test_a_formula_can_be_read_without_being_drawn(source: str, plain: str) -> None:
    assert f">{plain}</" in render(f"${source}$")


@pytest.mark.parametrize("source", ["{", "x^", "}", "{" * 60 + "}" * 60, "x" * 5000, r"\frac{1}"])
def test_what_is_no_formula_stays_as_it_was_written(source: str) -> None:
    assert readable(source) == source


@given(st.text(alphabet="\\{}^_&$[]()abfrcsqtlegin 012", max_size=60))
def test_any_formula_is_read_without_a_fault(source: str) -> None:
    assert isinstance(readable(source), str)


def test_prices_are_no_formulas() -> None:
    assert "math" not in render("It costs $5 and $6, not $ 7 $.")


def test_what_a_person_typed_keeps_its_signs() -> None:
    typed = "solve 2*x*y = 4*z*w\n- 3x = 5\n# 1 __a__"
    assert render_typed(typed).strip() == f"<p>{typed}</p>"


def test_a_person_may_write_code_and_formulas() -> None:
    html = render_typed("`a*b` and $c*d$")
    assert "<code>a*b</code>" in html
    assert '<span class="math" data-tex="c*d">c*d</span>' in html


def test_a_very_long_text_is_shown_as_it_is() -> None:
    assert render("*x* " * 60_000).startswith("<p>*x* *x*")


def test_a_column_is_aligned_as_it_was_written_without_a_style_of_its_own() -> None:
    html = render("| a | b | c |\n|---|:-:|--:|\n| 1 | 2 | 3 |")
    assert "style" not in html
    assert '<th>a</th>\n<th class="to-center">b</th>\n<th class="to-right">c</th>' in html
    assert '<td>1</td>\n<td class="to-center">2</td>\n<td class="to-right">3</td>' in html
