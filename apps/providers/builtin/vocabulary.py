"""The words that the solver knows, English and Chinese, by what they do in a sentence. What is not here is not understood.

A filler must be harmless wherever it stands: a word that can change the problem ("smallest", "positive", "tangent",
"how many") has no place among them.
"""

PHRASES: dict[str, str] = {
    # Nothing to do with the result.
    "filler": (
        "the, an, please, following, find, determine, get, give, give me, show, show me, tell me, help me, can you, could you"
        ", would you, i want to, i need to, i would like to, how to, how do i, how can i, let us, my, this, these, that"
        ", equation, equations, system, system of equations, simultaneous equations, inequality, inequalities, expression"
        ", function, the function, polynomial, number, numbers, value, values, the value of, answer, result, step by step"
        ", with steps, show your work, all, every, possible, problem, question, hello, hi, thanks, thank you, now, also"
        ", interval, closed interval, open interval, check, check whether, check if, determine whether, determine if"
        ", test whether, whether, variable, math"
        ", 请, 请问, 请你, 帮我, 帮忙, 一下, 求, 求出, 求下列, 下列, 下面, 这个, 所有, 全部, 方程, 方程组, 不等式, 不等式组"
        ", 函数, 表达式, 式子, 代数式, 多项式, 算式, 数, 值, 答案, 你好, 您好, 谢谢, 给出, 写出, 把, 将, 吗, 呢, 吧"
        ", 时, 处, 上, 内, 中, 区间, 闭区间, 开区间, 范围内, 范围, 的值, 判断, 我想, 我要, 进行, 有哪些, 是什么, 什么, 这道题"
        ", 试, 试求, 未知数, 题目, 问题, 二次函数, 一次函数, 三次函数, 二次方程, 三次方程"
        ", 一元二次方程, 一元一次方程, 二元一次方程组"
    ),
    # What to do.
    "compute": (
        "compute, calculate, evaluate, work out, what is, what are, how much is"
        ", 计算, 求值, 算, 算出, 算一下, 等于多少, 等于几, 是多少, 多少, 得多少, 的结果, 结果"
    ),
    "solve": (
        "solve, solution, solutions, a solution, the solution of, solution set, solving"
        ", 解, 求解, 解方程, 解方程组, 解不等式, 解不等式组, 的解, 解集, 的解集, 求方程, 解下列方程, 解出"
    ),
    "roots": "root, roots, a root, zeros, zeroes, 根, 的根, 零点, 的零点, 求根",
    "derivative": (
        "derivative, derivatives, the derivative of, differentiate, derivative function, partial derivative"
        ", 导数, 求导, 求导数, 的导数, 导函数, 的导函数, 偏导数, 的偏导数"
    ),
    "order:1": "first, 1st, 一阶, 1阶",
    "order:2": "second, 2nd, 二阶, 2阶",
    "order:3": "third, 3rd, 三阶, 3阶",
    "order:4": "fourth, 4th, 四阶, 4阶",
    "order:5": "fifth, 5th, 五阶, 5阶",
    "integral": (
        "integrate, integral, antiderivative, indefinite integral, definite integral, an antiderivative"
        ", 积分, 不定积分, 定积分, 的积分, 求积分, 的不定积分, 的定积分, 原函数, 的原函数"
    ),
    "limit": "limit, limits, 极限, 求极限, 的极限",
    "factor": ("factor, factorise, factorize, factorisation, factorization, factored form, factoring, 因式分解, 分解因式, 分解"),
    "expand": "expand, multiply out, expansion, expanded form, 展开, 展开式, 的展开式, 乘开",
    "simplify": "simplify, simplified form, simplification, 化简, 简化, 化简结果",
    "prime_factors": (
        "prime factors, prime factorization, prime factorisation, prime decomposition"
        ", 质因数分解, 分解质因数, 素因数分解, 分解素因数, 质因数, 素因数, 的质因数, 质因子, 素因子, 的质因数分解"
    ),
    "is_prime": "prime, a prime, prime number, a prime number, 质数, 素数, 为质数, 为素数",
    "gcd": (
        "gcd, greatest common divisor, greatest common factor, highest common factor, gcf, hcf"
        ", 最大公约数, 的最大公约数, 最大公因数, 的最大公因数"
    ),
    "lcm": "lcm, least common multiple, lowest common multiple, 最小公倍数, 的最小公倍数",
    "remainder": "remainder, the remainder when, the remainder of, 余数, 的余数, 余几, 余多少, 所得余数, 所得的余数",
    "maximum": "max, maximum, maximum value, largest value, greatest value, maximize, maximise, 最大值, 的最大值",
    "minimum": "min, minimum, minimum value, smallest value, least value, minimize, minimise, 最小值, 的最小值",
    "extremes": (
        "maximum and minimum, max and min, minimum and maximum, maximum and minimum values, absolute extrema"
        ", 最值, 的最值, 最大值和最小值, 最大值与最小值, 最小值和最大值, 最大最小值, 的最大值和最小值, 的最大值与最小值"
    ),
    "local_extrema": (
        "extrema, extremum, local extrema, relative extrema, extreme values, local maxima and minima"
        ", 极值, 的极值, 极大值和极小值, 的极大值和极小值, 极值点"
    ),
    "plot": (
        "plot, graph, draw, sketch, 画, 画出, 画一下, 画图, 作图, 作出, 绘制, 图像, 的图像, 图象, 的图象, 函数图像, 函数图象"
    ),
    # How the next formula belongs to the task.
    "by": (
        "for, in, at, on, over, as, when, if, where, with respect to, wrt, within, on the interval, over the interval"
        ", 关于, 对, 对于, 在, 当, 若, 如果, 令, 其中, 在区间, 在闭区间"
    ),
    "given": "given, given that, let, 已知, 设",
    "from": "from, 从, 由",
    "to": "to, 到, 至",
    "side:+": "from the right, from above, 从右侧, 从右边, 从右",
    "side:-": "from the left, from below, 从左侧, 从左边, 从左",
    "between": "between, 介于",
    "and": "and, 和, 与, 且, 及, 以及, 并且",
    "of": "of, 的",
    "is": "is, 是, 是不是, 是否, 是否是, 是否为",
    # Choices made in the text.
    "domain:real": (
        "real, reals, real numbers, the reals, the real numbers, real roots, real solutions, real root, real solution"
        ", 实数, 实数范围内, 实数范围, 实数域, 实数解, 的实数解, 实根, 的实根, 实数根, 的实数根, 在实数范围内, 实数集"
    ),
    "domain:complex": (
        "complex, complex numbers, the complex numbers, complex roots, complex solutions, complex root, complex solution"
        ", 复数, 复数范围内, 复数范围, 复数域, 复数解, 的复数解, 复根, 的复根, 复数根, 的复数根, 在复数范围内, 复数集"
    ),
    "angle:degrees": "in degrees, degrees, degree, 角度制, 用角度制",
    "angle:radians": "in radians, radians, 弧度, 弧度制, 用弧度制",
    "form:exact": "exact, exactly, exact value, exact form, in exact form, 精确值, 准确值, 的精确值",
    "form:decimal": (
        "decimal, a decimal, as a decimal, decimals, decimal form, in decimal form, in decimals, approximately, numerically"
        ", 小数, 近似值, 的近似值, 用小数表示, 小数形式"
    ),
    # Signs in words.
    "sign:+": "plus, 加, 加上",
    "sign:-": "minus, 减, 减去",
    "sign:*": "times, multiplied by, 乘, 乘以",
    "sign:/": "divided by, is divided by, 除以",
    "sign:mod": "modulo, 模",
    "sign:^": "to the power of, to the power, raised to the power of, raised to the power",
    "sign:^2": "squared, 平方, 的平方",
    "sign:^3": "cubed, 立方, 的立方",
    "sign:!": "factorial, 阶乘, 的阶乘",
    "sign:%": "percent, per cent",
    "sign:√": "square root of, the square root of, square root, 根号",
    "sign:∛": "cube root of, the cube root of, 三次根号",
    "sign:=": "equals, equal to, is equal to, 等于",
    "sign:>": "greater than, is greater than, 大于",
    "sign:<": "less than, is less than, 小于",
    "sign:>=": "greater than or equal to, is greater than or equal to, 大于等于, 大于或等于, 不小于",
    "sign:<=": "less than or equal to, is less than or equal to, 小于等于, 小于或等于, 不大于",
    "sign:!=": "is not equal to, 不等于",
    "sign:→": "approaches, tends to, goes to, approaching, 趋于, 趋近于, 趋向于, 趋近, 趋向",
    "sign:∞": "positive infinity, plus infinity, 无穷, 无穷大, 正无穷, 正无穷大",
    "sign:-∞": "negative infinity, minus infinity, 负无穷, 负无穷大",
    # What is known to be out of reach.
    "beyond:proof": "prove, proof, prove that, show that, 证明, 求证",
    "beyond:geometry": (
        "triangle, circle, rectangle, tangent, tangent line, perpendicular, geometry, volume, perimeter, area"
        ", 三角形, 圆, 长方形, 正方形, 切线, 垂直, 平行, 几何, 面积, 体积, 周长"
    ),
    "beyond:statistics": "probability, statistics, dice, coin, average, mean, 概率, 统计, 骰子, 硬币, 平均数, 平均值",
    "beyond:differential": "differential equation, ode, differential equations, 微分方程, 常微分方程",
    "beyond:matrices": "matrix, determinant, eigenvalue, eigenvalues, vector, vectors, 矩阵, 行列式, 特征值, 向量",
    "beyond:series": "series, sequence, 数列, 级数, 求和",
}

_GREETINGS = (
    "hello, hi, hey, hello there, hi there, good morning, good afternoon, good evening, help, help me, thanks, thank you"
    ", who are you, what are you, what can you do, what can i do, how are you, test, what is this, how does this work"
    ", 你好, 您好, 嗨, 早上好, 下午好, 晚上好, 帮助, 帮帮我, 谢谢, 多谢, 你是谁, 你能做什么, 你会什么, 你会做什么, 测试"
    ", 在吗, 怎么用"
)
GREETINGS = frozenset(phrase.strip() for phrase in _GREETINGS.split(","))
"""Texts that are no problem but a greeting or a call for help."""

ROLES: dict[str, str] = {phrase.strip(): role for role, phrases in PHRASES.items() for phrase in phrases.split(",")}
"""Each phrase, lower case, words separated by one space, and its role."""
LONGEST_ENGLISH = max(len(phrase.split()) for phrase in ROLES)
LONGEST_CHINESE = max(len(phrase) for phrase in ROLES if not phrase.isascii())
