"""The words of deep_solve to the model and to people, in both languages."""

from apps.common.bilingual import speaker

WORDS: dict[str, dict[str, str]] = {
    # --- the tools -----------------------------------------------------------------------------------
    "solve_plan": {
        "en": (
            "Commit to a plan before you solve anything: a short analysis of the problem and the ordered steps, usually 2 to"
            " 6, one for a trivial problem. The result names the steps (S1, S2, ...) and the one to begin with. A second plan"
            " in the same run counts as a replan."
        ),
        "zh": (
            "在求解之前先定下计划：对问题的简短分析和有序的步骤，通常 2 到 6 步，很简单的题一步即可。结果会给出步骤编号（S1、"
            "S2……）以及从哪一步开始。同一次运行中再次规划算作一次重新规划。"
        ),
    },
    "solve_plan.analysis": {
        "en": "What the problem is and how you will go about it, in a few sentences.",
        "zh": "用几句话说明问题是什么、打算怎么做。",
    },
    "solve_plan.steps": {
        "en": "The steps in order, at most 12.",
        "zh": "按顺序的步骤，最多 12 步。",
    },
    "steps.goal": {
        "en": "What this step is to establish, one short sentence.",
        "zh": "这一步要得到什么，一句短句。",
    },
    "solve_finish_step": {
        "en": (
            "Finish the current step once its work is really done, with what it established. If it could not be done, finish"
            " it with outcome failed and say why. Afterwards only the summary stays before you, so it must hold all that later"
            " steps need. Steps are finished in order, none is skipped."
        ),
        "zh": (
            "当前步骤的工作确实完成后调用，写明得到的结论。若无法完成，用 outcome failed 并说明原因。之后你只能看到这份总结，"
            "所以后续步骤需要的内容都要写进去。步骤按顺序完成，不得跳过。"
        ),
    },
    "solve_finish_step.step_id": {
        "en": "The id of the current step, such as S1.",
        "zh": "当前步骤的编号，如 S1。",
    },
    "solve_finish_step.summary": {
        "en": "What the step established: results, numbers, sources. At most 2,000 characters are kept in view.",
        "zh": "该步骤的结论：结果、数值、来源。视图中最多保留 2000 个字符。",
    },
    "solve_finish_step.outcome": {
        "en": "done, or failed if the step could not be done; done if left out.",
        "zh": "done；无法完成则为 failed；省略即为 done。",
    },
    "solve_replan": {
        "en": (
            "Replace the open steps by new ones when the approach is stuck or wrong. Finished steps stay. The number of"
            " replans is limited: use it for a change of course only."
        ),
        "zh": "当思路卡住或有误时，用新的步骤替换尚未完成的步骤。已完成的步骤保留。次数有限：只用于真正改变方向。",
    },
    "solve_replan.reason": {
        "en": "Why the plan does not hold and what will be done otherwise.",
        "zh": "原计划为何行不通、将如何调整。",
    },
    "solve_replan.steps": {
        "en": "The steps that are to be done from here on, in order, at most 12.",
        "zh": "从现在起要做的步骤，按顺序，最多 12 步。",
    },
    # --- what the results tell the model to do -------------------------------------------------------
    "do_next": {
        "en": "Do step {step} now with the tools you have, then call solve_finish_step with its result. Skip nothing.",
        "zh": "现在用可用的工具完成步骤 {step}，然后调用 solve_finish_step 写明结果。不要跳步。",
    },
    "all_done": {
        "en": "All steps are finished. Write the final answer now: the exact result first, then the explanation, then figures"
        " and files.",
        "zh": "所有步骤都已结束。现在写出最终答案：先给出精确结果，再讲解过程，最后列出图形和文件。",
    },
    "say_failed": {
        "en": "Say openly that these steps failed and what that means for the result: {steps}.",
        "zh": "如实说明以下步骤失败，以及这对结果的影响：{steps}。",
    },
    "cut_steps": {
        "en": "Only the first {limit} of {count} steps were taken.",
        "zh": "共 {count} 步，只采用了前 {limit} 步。",
    },
    "cut_text": {
        "en": "`{field}` was cut to {limit} characters.",
        "zh": "`{field}` 被截短为 {limit} 个字符。",
    },
    "revise": {
        "en": "The user rejected this plan. Revise it by the feedback and call solve_plan again. No step may be started.",
        "zh": "用户拒绝了该计划。请按反馈修改后再次调用 solve_plan。不得开始任何步骤。",
    },
    "revise_replan": {
        "en": "The user rejected this change; the plan before it stands. Revise it by the feedback, or go on with the plan.",
        "zh": "用户拒绝了这次修改，原计划仍然有效。请按反馈修改，或按原计划继续。",
    },
    "no_more_plans": {
        "en": "The user rejected this plan, and no further one is taken in this run. Ask the user what they want, or say what"
        " you can say without it.",
        "zh": "用户拒绝了该计划，本次运行不再接受新的计划。请询问用户的想法，或说明在没有计划的情况下能给出的内容。",
    },
    "keep_plan": {
        "en": "The user rejected this change, and no further one is taken in this run; go on with the plan as it stands.",
        "zh": "用户拒绝了这次修改，本次运行不再接受新的修改；请按现有计划继续。",
    },
    # --- refusals ------------------------------------------------------------------------------------
    "no_solve_run": {
        "en": "There is no active solve run; this tool works in deep_solve only.",
        "zh": "当前没有进行中的解题运行；该工具只在深度解题中可用。",
    },
    "bad_steps": {
        "en": '`steps` is missing; it must be an array of {{"goal": text}}.',
        "zh": '缺少 `steps`；必须是由 {{"goal": 文本}} 组成的数组。',
    },
    "bad_outcome": {
        "en": "`outcome` must be done or failed.",
        "zh": "`outcome` 必须是 done 或 failed。",
    },
    "no_steps": {
        "en": 'None of the steps has a goal. Give at least one step as {{"goal": text}}.',
        "zh": '没有任何步骤带有 goal。请至少给出一个 {{"goal": 文本}}。',
    },
    "no_plan": {
        "en": "There is no plan yet. Call solve_plan first.",
        "zh": "还没有计划。请先调用 solve_plan。",
    },
    "unknown_step": {
        "en": "There is no step {step} in the plan. Its steps are: {steps}.",
        "zh": "计划中没有步骤 {step}。现有步骤：{steps}。",
    },
    "step_finished": {
        "en": "Step {step} is finished already; a finished step does not change.",
        "zh": "步骤 {step} 已经完成，完成的步骤不再改变。",
    },
    "not_current_step": {
        "en": "Step {step} is not at work yet. The current step is {current}; finish that one first.",
        "zh": "步骤 {step} 尚未开始。当前步骤是 {current}，请先完成它。",
    },
    "budget_exhausted": {
        "en": "All {limit} replans of this run are used up; the plan stands as it is.",
        "zh": "本次运行的 {limit} 次重新规划已用完；计划保持不变。",
    },
    "finish_as_is": {
        "en": "Do not replan again. Finish the open steps as far as you can and bring the work to its end with what you have.",
        "zh": "不要再重新规划。请尽量完成剩余步骤，并利用已有结果收尾。",
    },
    "under_review": {
        "en": "The plan of this turn is before the user and not approved yet. Wait for the decision; nothing may be started.",
        "zh": "本轮的计划正在等待用户审批，尚未批准。请等待决定，不得开始任何工作。",
    },
    "plan_first": {
        "en": "Plan first: before a plan stands only solve_plan and questions to the user are possible.",
        "zh": "请先制定计划：在计划确定之前，只能调用 solve_plan 或向用户提问。",
    },
    "plan_limit": {
        "en": "The user has rejected {limit} plans of this run; no further one is taken. Ask the user, or answer without one.",
        "zh": "用户已拒绝本次运行的 {limit} 个计划，不再接受新的计划。请询问用户，或直接回答。",
    },
    # --- reminders -----------------------------------------------------------------------------------
    "plan_reminder": {
        "en": "You answered without a plan. Call solve_plan first; if the problem needs none, give the same answer again.",
        "zh": "你没有制定计划就给出了回答。请先调用 solve_plan；如果问题不需要计划，请再次给出同样的回答。",
    },
    "steps_reminder": {
        "en": "Steps of the plan are still open: {steps}. Do them and finish each with solve_finish_step (outcome failed if it"
        " cannot be done), or replan; then write the final answer.",
        "zh": "计划中还有未完成的步骤：{steps}。请逐一完成并调用 solve_finish_step（无法完成则用 outcome failed），或重新规划；"
        "然后写出最终答案。",
    },
    # --- the checkpoint ------------------------------------------------------------------------------
    "checkpoint": {
        "en": "Where the work stands: the plan, the results of its steps and what the user answered. The traffic of finished"
        " steps was folded away.",
        "zh": "目前的进展：计划、各步骤的结果以及用户的回答。已完成步骤的工具往来已被折叠。",
    },
    "checkpoint.plan": {"en": "The plan", "zh": "计划"},
    # --- the plan card -------------------------------------------------------------------------------
    "card.title": {"en": "May this plan be carried out?", "zh": "是否按此计划执行？"},
    "card.replan_title": {"en": "May the plan be changed to this?", "zh": "是否改为此计划？"},
    "card.approve": {"en": "Start", "zh": "开始执行"},
    "card.reject": {"en": "Ask for changes", "zh": "要求修改"},
    "card.reason": {"en": "Why the plan changes: {reason}", "zh": "更改计划的原因：{reason}"},
}


say = speaker(WORDS)
