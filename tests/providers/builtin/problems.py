"""Problems as people type them, with the choices made on cards and the result that each must have.

The result is the plain text of its parts joined by a semicolon, or the key of its sentence. A third is Chinese.
"""

from typing import NamedTuple


class Problem(NamedTuple):
    """A text, its right result, and the option ids that the user would choose if asked."""

    text: str
    result: str
    choices: tuple[str, ...] = ()


ENGLISH = (
    # equations
    Problem("Solve 2x + 3 = 7", "x = 2"),
    Problem("solve x^2-5x+6=0", "x = 2; x = 3"),
    Problem("solve x^2+1=0", "x = -i; x = i", ("domain:complex",)),
    Problem("solve x^2+1=0", "no_real_solution", ("domain:real",)),
    Problem("solve x^3 - 6x^2 + 11x - 6 = 0", "x = 1; x = 2; x = 3"),
    Problem("x^3 = 8", "x = 2", ("domain:real",)),
    Problem("Find the roots of x^2 - 2x - 8", "x = -2; x = 4"),
    Problem("sqrt(x+3) = x-3", "x = 6"),
    Problem("2^x = 8", "x = 3"),
    Problem("e^x = 5", "x = ln(5)"),
    Problem("log_2(x) = 5", "x = 32"),
    Problem("log x = 2", "x = 100", ("log:10",)),
    Problem("|x-1| = 3", "x = -2; x = 4"),
    Problem("solve ax + b = 0 for x", "x = -b/a"),
    Problem("x e^x = 1", "x = LambertW(1)"),
    Problem("cos x = x", "x ≈ 0.739085133215"),
    Problem("sin x = 1/2 on [0, 2pi]", "x = π/6; x = 5*π/6"),
    Problem("1/(x-1) = 1/(x^2-1)", "x = 0"),
    Problem("solve x^2 = 0.3", "x = -sqrt(30)/10; x = sqrt(30)/10", ("form:exact",)),
    # systems
    Problem("x + y = 3, x - y = 1", "x = 2; y = 1"),
    Problem("solve x^2 + y^2 = 25 and x + y = 7", "(x = 3, y = 4); (x = 4, y = 3)"),
    Problem("x + y = 3, x + y = 4", "no_solution"),
    # inequalities
    Problem("Solve the inequality 2x+1 > 5.", "x > 2"),
    Problem("(x-1)/(x+2) ≥ 0", "x < -2; x ≥ 1"),
    Problem("|x - 1| < 3", "-2 < x < 4"),
    Problem("1 < 2x+3 < 7", "-1 < x < 2"),
    # calculus
    Problem("Find the derivative of x^3 + 2x with respect to x", "3*x^2 + 2"),
    Problem("d/dx sin(x^2)", "2*x*cos(x^2)"),
    Problem("second derivative of x^4", "12*x^2"),
    Problem("∫ x e^x dx", "(x - 1)*e^x + C"),
    Problem("integrate x^2 from 0 to 1", "1/3"),
    Problem(r"\int_0^\pi \sin x \, dx", "2"),
    Problem("limit of sin(x)/x as x approaches 0", "1"),
    Problem("lim x→∞ (1+1/x)^x", "e"),
    Problem("lim_{x→0} 1/x", "no_limit"),
    # rewriting
    Problem("factor x^4 - 16", "(x - 2)*(x + 2)*(x^2 + 4)"),
    Problem("expand (x+1)^3", "x^3 + 3*x^2 + 3*x + 1"),
    Problem("simplify (x^2-1)/(x-1)", "x + 1"),
    Problem("x^2 - 9", "(x - 3)*(x + 3)", ("task:factor",)),
    # whole numbers
    Problem("prime factors of 360", "360 = 2^3 * 3^2 * 5"),
    Problem("Is 97 prime?", "prime"),
    Problem("gcd of 84 and 36", "12"),
    Problem("lcm(4, 6, 10)", "60"),
    Problem("What is the remainder when 3^100 is divided by 7?", "4"),
    # extrema
    Problem("maximum of x^3 - 3x on [-2, 2]", "max = 2 (x = -1, x = 2)"),
    Problem("Find the minimum value of x^2 - 4x + 1", "min = -3 (x = 2)"),
    Problem("maximum of x^2", "no_maximum"),
    # arithmetic
    Problem("What is 15% of 80?", "12"),
    Problem("10!", "3628800"),
    Problem("3/4 + 5/6", "19/12"),
    Problem("sin 30", "1/2", ("angle:degrees",)),
)
CHINESE = (
    Problem("解方程 2x+3=7", "x = 2"),
    Problem("解方程 x^2+1=0", "x = -i; x = i", ("domain:complex",)),
    Problem("在实数范围内解方程 x^4=16", "x = -2; x = 2"),
    Problem("解关于x的方程 ax+b=0", "x = -b/a"),
    Problem("求方程 x²－5x＋6＝0 的根", "x = 2; x = 3"),
    Problem("解方程组 x+y=5，xy=6", "(x = 2, y = 3); (x = 3, y = 2)"),
    Problem("求不等式 x^2-4>0 的解集", "x < -2; x > 2"),
    Problem("解不等式 |x－1|≤2", "-1 ≤ x ≤ 3"),
    Problem("已知 3x-5=10，求 x", "x = 5"),
    Problem("求 x^3 的导数", "3*x^2"),
    Problem("求 x^4 的二阶导数", "12*x^2"),
    Problem("求 x^2 的不定积分", "x^3/3 + C"),
    Problem("求定积分 ∫_0^1 x^2 dx", "1/3"),
    Problem("当 x 趋于 0 时 (1-cos x)/x^2 的极限", "1/2"),
    Problem("把 x^2-9 因式分解", "(x - 3)*(x + 3)"),
    Problem("展开 (x+2)^2", "x^2 + 4*x + 4"),
    Problem("化简 (x^2-1)/(x+1)", "x - 1"),
    Problem("把360分解质因数", "360 = 2^3 * 3^2 * 5"),
    Problem("91是质数吗？", "not_prime"),
    Problem("求24和36的最大公约数", "12"),
    Problem("求4、6、10的最小公倍数", "60"),
    Problem("3的100次方除以7的余数", "4"),
    Problem("80的15%是多少？", "12"),
    Problem("求 f(x)=x^2-2x 在区间 [0,3] 上的最大值和最小值", "max = 3 (x = 3); min = -1 (x = 1)"),
    Problem("求函数 y=x^3-3x 的极值", "max = 2 (x = -1); min = -2 (x = 1)"),
    Problem("计算 1/2 加 1/3", "5/6"),
)
PROBLEMS = ENGLISH + CHINESE
