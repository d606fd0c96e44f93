"""Sentences of plans: goals of steps, analysis, and why a plan changes or is none. Key -> (English, Chinese)."""

PLANS: dict[str, tuple[str, str]] = {
    # --- what a plan says ------------------------------------------------------------------------------
    "plan.analysis": (
        "I read it as: {reading}. I am the built-in symbolic solver, without a language model: each step follows from the"
        " formula.",
        "我读作：{reading}。我是内置符号求解器，没有语言模型：每一步都由式子决定。",
    ),
    "plan.split": (
        "I cannot read what you wrote about the plan. I can only show the method in two steps; the rest is the same.",
        "我读不懂您对计划的意见。我只能把求解方法分成两步，其余不变。",
    ),
    "plan.same": (
        "I cannot read what you wrote about the plan, and I know no other way: it is the same plan.",
        "我读不懂您对计划的意见，也没有别的方法：计划不变。",
    ),
    # --- the goals -------------------------------------------------------------------------------------
    "plan.restate": ("Restate the problem as it was read", "复述读到的题目"),
    "plan.method.solve": ("Find the solutions", "求出解"),
    "plan.method.derivative": ("Differentiate", "求导"),
    "plan.method.integral": ("Integrate", "求积分"),
    "plan.method.limit": ("Look at the values near the target", "考察趋近时的取值"),
    "plan.method.plot": ("Draw the graph by a program", "用程序画出图像"),
    "plan.method.figure": ("Rebuild the figure and measure it", "重建图形并测量"),
    "plan.method.extrema": ("Find the candidates and compare them", "求出候选点并比较"),
    "plan.method.rewrite": ("Rewrite the expression", "改写式子"),
    "plan.method.numbers": ("Work with the whole numbers", "进行整数运算"),
    "plan.method.compute": ("Compute", "计算"),
    "plan.first_part": ("{goal}: the first part", "{goal}：第一部分"),
    "plan.second_part": ("{goal}: the second part", "{goal}：第二部分"),
    "plan.numeric": ("Find the solutions by numbers", "用数值方法求解"),
    "plan.zeros": ("Name the zeros in the range", "写出范围内的零点"),
    "plan.result": ("State the result", "写出结果"),
    "plan.check": ("Verify the result in a second way", "用另一种方法验证结果"),
    # --- what changes it -------------------------------------------------------------------------------
    "plan.ran_out": (
        "Exact solving took too long; the solutions are found by numbers instead.",
        "精确求解超时，改用数值方法求解。",
    ),
    "plan.unknown_step": (
        "I cannot read this step: without a language model I can only do the steps that I proposed.",
        "我读不懂这一步：没有语言模型，我只能执行自己提出的步骤。",
    ),
    # --- where there is none ---------------------------------------------------------------------------
    "plan.closed": (
        "The plan was not approved, so I began nothing. Send the problem again to see the plan once more.",
        "计划没有得到批准，因此没有开始任何步骤。重新发送题目即可再次查看计划。",
    ),
    "plan.given_up": (
        "Both plans were rejected, so I began nothing. Without a language model I have no third one; please write the problem in"
        " another way, or switch the plan review off.",
        "两个计划都被拒绝，因此没有开始任何步骤。没有语言模型，我给不出第三个计划；请换一种写法输入题目，或关闭计划审批。",
    ),
}
