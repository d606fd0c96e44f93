"""Sentences of questions, greetings and refusals: key -> (English, Chinese)."""

ASKS: dict[str, tuple[str, str]] = {
    # --- greeting ------------------------------------------------------------------------------------
    "greeting": (
        "I am the built-in symbolic solver; there is no language model behind me. I read typed mathematics, English or"
        " Chinese words around formulas, ask where something is ambiguous, solve exactly, and check every result by a second"
        " way.\n\nI can solve equations, systems and inequalities; differentiate, integrate, find limits and extrema; factor,"
        " expand and simplify; work with whole numbers; and draw a function where programs may run. Try one"
        " of these:\n\n- `solve x^2 + 1 = 0`\n- `integrate x e^x"
        " from 0 to 1`\n- `maximum of x^3 - 3x on [-2, 2]`",
        "我是内置符号求解器，背后没有语言模型。我读取输入的数学式子（式子前后可以有中文或英文），有歧义时会提问，给出精确解，"
        "并用另一种方法验证每个结果。\n\n我能解方程、方程组和不等式，求导数、积分、极限和极值，分解因式、展开、化简，处理"
        "整数问题，并在可以运行程序的地方画函数图像。可以试试："
        "\n\n- `解方程 x^2 + 1 = 0`\n- `求 x e^x 从 0 到 1 的积分`\n- `求 x^3 - 3x 在 [-2, 2] 上的最大值`",
    ),
    # --- cards -----------------------------------------------------------------------------------------
    "rephrase.title": ("How else can you write the problem?", "请换一种写法输入题目"),
    "rephrase.description": (
        "I do not understand: {parts}. I never guess the meaning of a word. Please write the problem again as a formula with"
        " a few words, such as “solve 2x + 3 = 7”.",
        "我没有看懂：{parts}。我不会猜测词语的意思。请用式子加少量文字重新输入题目，例如“解方程 2x + 3 = 7”。",
    ),
    "rephrase.formula": (
        "I find no formula in {parts}. Please write the problem as a formula with a few words, such as “solve 2x + 3 = 7”.",
        "在 {parts} 中没有找到式子。请用式子加少量文字输入题目，例如“解方程 2x + 3 = 7”。",
    ),
    "rephrase.again": ("This is try {count} of {most}.", "第 {count} 次重新输入，最多 {most} 次。"),
    "hint.approach": ("Where does the variable go? For example: as x → 0.", "变量趋于何值？例如：当 x → 0 时。"),
    "hint.operator": (
        "I take integrals, limits and derivatives one at a time, not inside another formula.",
        "积分、极限和导数只能单独计算，不能放在别的式子里。",
    ),
    "hint.plot": (
        "I draw one function of one letter between two numbers, such as y = x^2 - 3x from -1 to 4.",
        "我每次画一个只含一个字母的函数，范围的两端是数，例如：y = x^2 - 3x，从 -1 到 4。",
    ),
    "task.title": ("What shall I do with {formula}?", "要对 {formula} 做什么？"),
    "task.description": ("There is only an expression, without an equals sign.", "这里只有一个式子，没有等号。"),
    "task:solve": ("Solve: where is it zero?", "求解：何时等于零？"),
    "task:simplify": ("Simplify it", "化简"),
    "task:factor": ("Factor it", "因式分解"),
    "task:expand": ("Expand it", "展开"),
    "reading.title": ("Which of the two do you mean?", "您指的是哪一个？"),
    "reading.description": ("People read this notation in two ways.", "这种写法有两种读法。"),
    "inverse.title": ("What does the exponent -1 mean here?", "这里的指数 -1 表示什么？"),
    "inverse.description": (
        "It may be the inverse function or one divided by the function.",
        "它可以表示反函数，也可以表示函数值的倒数。",
    ),
    "domain.title": ("Real or complex numbers?", "在实数还是复数范围内？"),
    "domain.description": ("The results for {formula} differ.", "对于 {formula}，两者的结果不同。"),
    "domain:real": ("Real numbers", "实数"),
    "domain:complex": ("Complex numbers", "复数"),
    "unknown.title": ("Which letter is the unknown?", "哪个字母是未知数？"),
    "unknown.description": ("There are several letters in {formula}.", "{formula} 中有多个字母。"),
    "variable.title": ("Which letter is the variable?", "哪个字母是自变量？"),
    "variable.description": ("There are several letters in {formula}.", "{formula} 中有多个字母。"),
    "angle.title": ("Is the angle in degrees or in radians?", "角的单位是度还是弧度？"),
    "angle.description": ("{formula} has another value in each.", "{formula} 在两种单位下的值不同。"),
    "angle:degrees": ("Degrees", "度"),
    "angle:radians": ("Radians", "弧度"),
    "log.title": ("Which base does log have?", "log 的底数是多少？"),
    "log.description": ("{formula} does not say it.", "{formula} 中没有写明。"),
    "log:10": ("Base 10 (common logarithm)", "以 10 为底（常用对数）"),
    "log:e": ("Base e (natural logarithm)", "以 e 为底（自然对数）"),
    "log:2": ("Base 2", "以 2 为底"),
    "constant_i.title": ("Is i the imaginary unit or a letter?", "i 是虚数单位还是普通字母？"),
    "constant_i.description": ("It stands in {formula}.", "它出现在 {formula} 中。"),
    "i:constant": ("The imaginary unit", "虚数单位"),
    "i:symbol": ("A letter like any other", "普通字母"),
    "constant_e.title": ("Is e Euler's number or a letter?", "e 是自然常数还是普通字母？"),
    "constant_e.description": ("It stands in {formula}.", "它出现在 {formula} 中。"),
    "e:constant": ("Euler's number 2.718…", "自然常数 2.718…"),
    "e:symbol": ("A letter like any other", "普通字母"),
    "form.title": ("Exact or decimal?", "要精确值还是小数？"),
    "form.description": (
        "{formula} is written with decimals, but the result is no finite decimal.",
        "{formula} 是用小数写的，但结果不是有限小数。",
    ),
    # --- a card that cannot be shown, or was not answered ----------------------------------------------
    "need": (
        "I need an answer before I can go on, and cannot ask here: **{title}** {description}",
        "我需要一个回答才能继续，但此处无法提问：**{title}** {description}",
    ),
    "not_answered": (
        "My question was not answered, so I have chosen nothing for you. What I need to know: **{title}** {description}",
        "我的问题没有得到回答，所以我没有替您做选择。我需要知道：**{title}** {description}",
    ),
    "need.options": ("Write the problem again with one of: {options}.", "请重新输入题目，并注明：{options}。"),
    "gave_up": (
        "I still do not understand: {parts}. I stop here rather than guess. I read formulas with a few words around them;"
        " word problems are beyond me.",
        "我仍然没有看懂：{parts}。我宁可停下也不猜测。我只能读懂带少量文字的式子，应用题超出了我的能力。",
    ),
    # --- refusals ----------------------------------------------------------------------------------------
    "large_tokens": ("The formula is too long for me: at most 400 signs.", "式子太长：最多 400 个符号。"),
    "large_text": ("The text is too long for me: at most 2,000 characters.", "文字太长：最多 2000 个字符。"),
    "large_depth": ("The formula is nested too deeply: at most 60 levels.", "括号嵌套太深：最多 60 层。"),
    "large_exponent": ("I do not compute powers with exponents above 2,000.", "我不计算指数超过 2000 的幂。"),
    "large_factorial": ("I do not compute factorials above 500!.", "我不计算超过 500! 的阶乘。"),
    "large_digits": ("I do not compute numbers with more than 5,000 digits.", "我不计算超过 5000 位的数。"),
    "beyond_proof": ("I cannot prove statements; I can only compute and check.", "我不会证明命题，只能计算和验证。"),
    "beyond_geometry": (
        "Of geometry I only know the area of a triangle, and distance, length and midpoint of points with coordinates, written"
        " like this: `A=(0,0), B=(4,0), C=(0,3): area of triangle ABC`.",
        "几何题中我只会求三角形的面积，以及已知坐标的点之间的距离、线段长和中点，写法如："
        "`A=(0,0), B=(4,0), C=(0,3): 三角形 ABC 的面积`。",
    ),
    "beyond_statistics": ("I cannot do probability or statistics.", "我不会概率统计题。"),
    "beyond_differential": ("I cannot solve differential equations.", "我不会解微分方程。"),
    "beyond_matrices": ("I cannot work with matrices and vectors.", "我不会处理矩阵和向量。"),
    "beyond_series": ("I cannot work with sequences and series.", "我不会处理数列和级数。"),
    "timed_out": (
        "I stopped after {seconds} seconds without a result. A simpler form of the problem may be within reach.",
        "计算 {seconds} 秒后仍无结果，我已停止。换成更简单的形式也许可以。",
    ),
    "out_of_memory": ("The computation needed more memory than it may have; I stopped it.", "计算所需的内存超过上限，我已停止。"),
    "worker_failed": ("The computation failed, so I have no result.", "计算失败，没有结果。"),
    "cannot_check_failed": (
        "I found a result, but my check of it failed, so I do not give it.",
        "我得到了一个结果，但验证没有通过，所以不给出。",
    ),
    "cannot_no_closed_form": (
        "I find no exact solution, and no reliable numerical one.",
        "我找不到精确解，也找不到可靠的数值解。",
    ),
    "cannot_no_antiderivative": ("I find no antiderivative in known functions.", "我找不到能用已知函数表示的原函数。"),
    "cannot_no_limit_found": (
        "I find no limit here; the values may oscillate without settling.",
        "我求不出这个极限；函数值可能振荡而不收敛。",
    ),
    "cannot_undefined": (
        "There is a place where the formula has no value, so I give no result.",
        "式子在某处没有定义，所以我不给出结果。",
    ),
    "cannot_undefined_nearby": (
        "The formula has no real value near that point, so there is no limit over the real numbers.",
        "式子在该点附近没有实数值，所以在实数范围内没有极限。",
    ),
    "cannot_not_settled": (
        "Numerical integration does not settle on a value, so the integral may not converge; I give no result.",
        "数值积分没有稳定下来，积分可能不收敛，所以我不给出结果。",
    ),
    "cannot_divergent": ("The integral does not converge.", "这个积分不收敛。"),
    "cannot_division_by_zero": ("There is a division by zero in it.", "其中有除以零。"),
    "cannot_factorial": ("I compute factorials of whole numbers from 0 on only.", "我只计算非负整数的阶乘。"),
    "cannot_whole_numbers": ("This needs whole numbers.", "这需要整数。"),
    "cannot_positive_numbers": ("This needs whole numbers from 1 on.", "这需要正整数。"),
    "cannot_greater_than_one": ("This needs a whole number from 2 on.", "这需要大于 1 的整数。"),
    "cannot_too_many_digits": ("The number is too long: at most 60 digits.", "数太长：最多 60 位。"),
    "cannot_not_supported": ("I have no method for this kind of problem.", "我没有解这类题的方法。"),
    "cannot_parametric": (
        "With other letters in it I can solve only what is linear or quadratic in the unknown.",
        "含有其他字母时，我只能解关于未知数的一次或二次方程。",
    ),
    "cannot_periodic_inequality": ("I cannot solve inequalities with trigonometric functions.", "我不会解含三角函数的不等式。"),
    "cannot_periodic_interval": (
        "The solutions repeat for ever; give me a bounded interval, not too long.",
        "解是周期性的；请给出一个不太长的有界区间。",
    ),
    "cannot_periodic_extrema": ("The function is periodic; give me a bounded interval.", "函数是周期性的；请给出一个有界区间。"),
    "cannot_complex_not_supported": ("I cannot find all complex solutions of this equation.", "我求不出这个方程的全部复数解。"),
    "cannot_order_needs_reals": ("Inequalities have a meaning for real numbers only.", "不等式只在实数范围内有意义。"),
    "cannot_bad_interval": ("I cannot work on this interval.", "我无法在这个区间上求解。"),
    "cannot_bad_range": (
        "A range goes from a real number to a larger one.",
        "范围要从一个实数到一个更大的实数。",
    ),
    "cannot_bounds": (
        "The bounds of the integral must be real and without its variable.",
        "积分的上下限必须是实数，且不含积分变量。",
    ),
    "cannot_range_of_solutions": (
        "A whole range of numbers solves the equation; I cannot say exactly which.",
        "有一整段数都满足方程，我无法准确给出范围。",
    ),
    "cannot_degree": ("I solve polynomials up to degree 100.", "我最多解 100 次多项式方程。"),
    "cannot_too_long": ("The result is too long to be of use.", "结果太长，没有意义。"),
    "cannot_order": ("I differentiate at most ten times.", "我最多求十阶导数。"),
    "cannot_system_of_inequalities": ("I cannot solve inequalities in several unknowns.", "我不会解含多个未知数的不等式。"),
    "cannot_system_not_polynomial": ("I can solve systems of polynomial equations only.", "我只能解多项式方程组。"),
    "cannot_infinitely_many": (
        "The system has infinitely many solutions, and I cannot describe them all.",
        "方程组有无穷多解，我无法全部表示出来。",
    ),
    "cannot_pole_inside": (
        "A denominator becomes zero there, so the values are not bounded or not defined.",
        "分母在该范围内会变为零，函数值无界或无定义。",
    ),
}
