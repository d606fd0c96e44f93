"""Words for the model, in both languages: what the ask tools are for, what was wrong with a call, how an ask was closed."""

from apps.common.bilingual import speaker

TEXTS: dict[str, dict[str, str]] = {
    # --- who the agent is, and when it asks ------------------------------------------------------------
    "agent": {
        "en": (
            "You are an agent that works for one user in a chat. Answer in the user's language. Use tools where they help, and"
            " say openly what you could not find out or do."
        ),
        "zh": "你是在聊天中为一位用户工作的智能体。请用用户的语言回答；需要时使用工具；没能查明或做到的事要如实说明。",
    },
    "when_to_ask": {
        "en": (
            "Ask the user only where a wrong guess would cost more than the interruption: a fact is missing that you cannot"
            " find out, the work forks and both ways are sound, or the next act is dangerous or cannot be undone. Never ask"
            " what can be inferred, never for details without consequence, and nothing twice. Ask through ask_user or"
            " ask_user_question, not in the text of a message."
        ),
        "zh": (
            "只有当猜错的代价高于打断用户的代价时才提问：缺少你无法自行得知的事实；存在两条都说得通的路；或下一步有危险、不可"
            "撤销。能推断出来的不要问，无关紧要的细节不要问，同一件事不要问两次。提问请使用 ask_user 或 ask_user_question，不"
            "要写在消息正文里。"
        ),
    },
    # --- ask_user ----------------------------------------------------------------------------------
    "ask_user": {
        "en": (
            "Put one question to the user as a form and wait for the answer. Use it for a missing fact or a decision without"
            " which the work cannot go on: if the user closes the form, this run ends. Choose the mode that fits the answer:"
            " single, multiple or toggle with options; text, number, date or directory for a typed value. Make the title a"
            " concrete question, and give each option a description of what follows from it. Mark at most one option as"
            " recommended. The result names the chosen options by id in selections, own text in customInput, and a number,"
            " day or folder also in value."
        ),
        "zh": (
            "以表单形式向用户提出一个问题并等待回答。用于缺了就无法继续的事实或决定：如果用户关闭表单，本次运行即结束。按答案"
            "选择 mode：single、multiple、toggle 需要选项；text、number、date、directory 用于填写。标题要写成具体的问题，每个"
            "选项说明其后果，最多标记一个推荐项。结果中 selections 是所选选项的 id，customInput 是用户自己的文字，数字、日期"
            "和目录还会出现在 value 中。"
        ),
    },
    "ask_user.title": {"en": "The question, concrete, at most 200 characters.", "zh": "具体的问题，最多 200 个字符。"},
    "ask_user.description": {
        "en": "What the user has to know to decide (Markdown).",
        "zh": "用户做决定所需的说明（Markdown）。",
    },
    "ask_user.mode": {
        "en": (
            "The control: single (one option), multiple (several options), toggle (switches), text, number, date"
            " (YYYY-MM-DD), directory (a path relative to the workspace)."
        ),
        "zh": (
            "控件：single（单选）、multiple（多选）、toggle（开关）、text（文本）、number（数字）、date（YYYY-MM-DD）、"
            "directory（相对于工作区的路径）。"
        ),
    },
    "ask_user.options": {
        "en": "The options of single, multiple and toggle; at most 50.",
        "zh": "single、multiple、toggle 的选项，最多 50 个。",
    },
    "ask_user.option.id": {
        "en": "The stable value that the result will hold; unique in this question.",
        "zh": "结果中返回的稳定值，在本问题内唯一。",
    },
    "ask_user.option.recommended": {"en": "Whether you recommend this option.", "zh": "是否推荐该选项。"},
    "ask_user.allowCustom": {
        "en": "Whether the user may write an answer of their own beside the options.",
        "zh": "是否允许用户在选项之外填写自己的答案。",
    },
    "ask_user.submitLabel": {
        "en": "The text on the submit button, a word or two.",
        "zh": "提交按钮上的文字，一两个词。",
    },
    # --- ask_user_question -------------------------------------------------------------------------
    "ask_user_question": {
        "en": (
            "Ask the user one question or a few that belong together, on one card, and wait for the answers. Ask only where a"
            " wrong guess costs more than the interruption: a missing fact, a real fork, before a dangerous act; never what"
            " can be inferred, nothing twice. At most 4 questions on a card, never unrelated ones. Each question is concrete:"
            ' no bare yes or no, no "what do you want". Give 2 to 4 options, each with its consequence in the description,'
            ' the recommended one first with the suffix "(Recommended)" in its label; leave the options out for a free-text'
            " question. The user can always write an answer of their own. The result holds for each question the labels"
            ' chosen and, where there is one, the own text in custom. A skipped question comes back empty and means "not'
            ' specified": take a default and say so. If the user closes the card, go on without the answers: explain, ask'
            " otherwise, or proceed."
        ),
        "zh": (
            "用一张卡片向用户提出一个或几个相关的问题并等待回答。只有当猜错的代价高于打断的代价时才问：缺少事实、真正的岔路、"
            "危险操作之前；能推断的不要问，同一件事不要问两次。一张卡片最多 4 个问题，不要放不相关的问题。问题要具体：不要只"
            "问是或否，也不要问“你想怎么办”。给出 2 到 4 个选项，在说明中写出各自的后果，推荐项放在第一位，并在标签末尾加“(推"
            "荐)”；不给选项就是填空题。用户随时可以填写自己的答案。结果中每个问题都有所选标签，若有用户自己的文字则在 custom "
            "中。被跳过的问题返回为空，表示“未指定”：请采用默认值并说明。如果用户关闭卡片，请在没有答案的情况下继续：解释、换"
            "一种问法，或直接推进。"
        ),
    },
    "questions": {
        "en": (
            "The questions of the card, 1 to 8, better at most 4. One question may also be given flat, by the properties below."
        ),
        "zh": "卡片上的问题，1 到 8 个，最好不超过 4 个。只有一个问题时，也可以直接用下面的属性给出。",
    },
    "question.id": {
        "en": "A stable name of the question; the answer carries it. Made (q1, q2, ...) where it is left out.",
        "zh": "问题的稳定名称，答案会带回它；省略时自动生成（q1、q2……）。",
    },
    "question.question": {
        "en": "The question itself, concrete, at most 2,000 characters.",
        "zh": "问题正文，要具体，最多 2000 个字符。",
    },
    "question.header": {"en": "A short heading of about 12 characters.", "zh": "简短标题，约 12 个字符。"},
    "question.options": {
        "en": "2 to 4 options, the recommended one first; none for a free-text question.",
        "zh": "2 到 4 个选项，推荐项在前；不给则为填空题。",
    },
    "question.option.label": {
        "en": 'The option as the user reads it and as the answer returns it; add "(Recommended)" to the one you advise.',
        "zh": "用户看到的选项文字，答案会原样返回；推荐项在末尾加“(推荐)”。",
    },
    "question.multi_select": {
        "en": "Whether several options may be chosen; false if left out.",
        "zh": "是否可以多选；省略即为 false。",
    },
    "option.label": {"en": "What the user reads; at most 500 characters.", "zh": "用户看到的文字，最多 500 个字符。"},
    "option.description": {"en": "What follows from choosing it.", "zh": "选择它的后果。"},
    # --- present_plan ------------------------------------------------------------------------------
    "present_plan": {
        "en": (
            "Show the user a plan and wait for their decision before you carry it out. Use it where the user should agree to"
            " the whole of what you are about to do: work with consequences, or several steps that could be done otherwise."
            " The result says in decision: approve or approve_with_edits: carry out the plan in the field plan, as it stands"
            " there; reject: change it by the feedback and present it again. Nothing else is an approval: if the user closes"
            " the plan or lets it expire, this run ends and nothing may be carried out."
        ),
        "zh": (
            "向用户展示计划，并在执行之前等待其决定。当用户应当对你将要做的整件事表示同意时使用：有后果的工作，或可以有其他做法的"
            "多个步骤。结果中的 decision：approve 或 approve_with_edits 表示按 plan 字段中的计划执行；reject 表示按 feedback "
            "修改后重新展示。除此之外都不是批准：如果用户关闭计划或任其过期，本次运行结束，什么都不得执行。"
        ),
    },
    "present_plan.title": {
        "en": "What the plan is for, at most 200 characters.",
        "zh": "计划的用途，最多 200 个字符。",
    },
    "present_plan.plan": {
        "en": "The whole plan (Markdown), at most 20,000 characters: what will be done, in which order, with which effects.",
        "zh": "完整的计划（Markdown），最多 20000 个字符：做什么、按什么顺序、有什么影响。",
    },
    "present_plan.approveLabel": {
        "en": "The text on the button that approves, a word or two.",
        "zh": "批准按钮上的文字，一两个词。",
    },
    "present_plan.rejectLabel": {
        "en": "The text on the button that rejects, a word or two.",
        "zh": "拒绝按钮上的文字，一两个词。",
    },
    "plan.approve": {"en": "Approve", "zh": "批准"},
    "plan.reject": {"en": "Ask for changes", "zh": "要求修改"},
    "plan.changes": {"en": "Changed against the version before:", "zh": "与上一版相比的变化："},
    "plan.no_changes": {"en": "Nothing changed against the version before.", "zh": "与上一版相比没有变化。"},
    # --- what was wrong with a call ----------------------------------------------------------------
    "not_an_object": {
        "en": "The arguments are not one JSON object. Call the tool again with {form}.",
        "zh": "参数不是一个 JSON 对象。请重新调用，参数为 {form}。",
    },
    "wrong_type": {"en": "`{field}` must be {form}.", "zh": "`{field}` 必须是 {form}。"},
    "blank": {"en": "`{field}` is missing or blank; it must be {form}.", "zh": "`{field}` 缺失或为空；必须是 {form}。"},
    "too_long": {
        "en": "`{field}` has {count} characters; at most {limit} are allowed. Shorten it.",
        "zh": "`{field}` 有 {count} 个字符，最多允许 {limit} 个。请缩短。",
    },
    "too_many": {
        "en": "`{field}` has {count} entries; at most {limit} are allowed. Ask for less at once.",
        "zh": "`{field}` 有 {count} 项，最多允许 {limit} 项。请一次少问一些。",
    },
    "too_large": {
        "en": "The whole question has {count} bytes; at most {limit} are allowed. Shorten descriptions or leave out options.",
        "zh": "整个问题有 {count} 字节，最多允许 {limit} 字节。请缩短说明或减少选项。",
    },
    "no_options": {
        "en": "`options` is empty, but mode {mode} needs options: {form}. For a typed answer use mode text.",
        "zh": "`options` 为空，而 mode {mode} 需要选项：{form}。如需填写答案，请用 mode text。",
    },
    "repeated_id": {
        "en": "`{field}` repeats the id of an earlier option. Give every option an id of its own.",
        "zh": "`{field}` 与前面选项的 id 重复。请为每个选项使用不同的 id。",
    },
    "no_questions": {
        "en": "There is no question. `questions` must be {form}.",
        "zh": "没有问题。`questions` 必须是 {form}。",
    },
    "intent_unknown": {
        "en": "`intent.kind` is none that this installation knows.",
        "zh": "`intent.kind` 不是本系统已知的类型。",
    },
    "intent_not_offered": {
        "en": "`intent.approve` must be the label of one of the options.",
        "zh": "`intent.approve` 必须是某个选项的标签。",
    },
    "intent_without_detail": {
        "en": "A plan review needs `{field}`, the plan that is to be approved.",
        "zh": "计划审批需要 `{field}`，即待批准的计划。",
    },
    # --- the right forms ---------------------------------------------------------------------------
    "form.text": {"en": "a non-blank text", "zh": "非空文本"},
    "form.flag": {"en": "true or false", "zh": "true 或 false"},
    "form.id": {"en": "a text without NUL or broken characters", "zh": "不含 NUL 或残缺字符的文本"},
    "form.object": {"en": "one JSON object", "zh": "一个 JSON 对象"},
    "form.steps": {"en": 'an array of {{"goal": text}}', "zh": '由 {{"goal": 文本}} 组成的数组'},
    "form.mode": {"en": "one of {modes}", "zh": "以下之一：{modes}"},
    "form.ask_user": {
        "en": '{{"title": text, "mode": text, "options"?: [{{"id", "label"}}]}}',
        "zh": '{{"title": 文本, "mode": 文本, "options"?: [{{"id", "label"}}]}}',
    },
    "form.present_plan": {
        "en": '{{"title": text, "plan": text, "approveLabel"?, "rejectLabel"?}}',
        "zh": '{{"title": 文本, "plan": 文本, "approveLabel"?, "rejectLabel"?}}',
    },
    "form.ask_user.options": {
        "en": 'an array of {{"id": text, "label": text, "description"?: text, "recommended"?: true or false}}',
        "zh": '由 {{"id": 文本, "label": 文本, "description"?: 文本, "recommended"?: true 或 false}} 组成的数组',
    },
    "form.questions": {
        "en": (
            'an array of 1 to 8 {{"question": text, "id"?, "header"?, "options"?: [{{"label", "description"?}}],'
            ' "multi_select"?}}'
        ),
        "zh": (
            '由 1 到 8 个 {{"question": 文本, "id"?, "header"?, "options"?: [{{"label", "description"?}}], "multi_select"?}} '
            "组成的数组"
        ),
    },
    "form.ask_user_question": {
        "en": '{{"questions": [{{"question": text, "options"?: [{{"label"}}]}}]}}',
        "zh": '{{"questions": [{{"question": 文本, "options"?: [{{"label"}}]}}]}}',
    },
    "form.question": {
        "en": 'an object {{"question": text, "options"?: [{{"label"}}]}}',
        "zh": '对象 {{"question": 文本, "options"?: [{{"label"}}]}}',
    },
    "form.question.options": {
        "en": 'an array of {{"label": text, "description"?: text}}',
        "zh": '由 {{"label": 文本, "description"?: 文本}} 组成的数组',
    },
    "form.ask_user.option": {"en": 'an object {{"id": text, "label": text}}', "zh": '对象 {{"id": 文本, "label": 文本}}'},
    "form.question.option": {"en": 'an object {{"label": text}}', "zh": '对象 {{"label": 文本}}'},
    # --- how questions were closed -----------------------------------------------------------------
    "closed.cancelled": {
        "en": (
            "The user closed the questions without answering them. Do not ask the same again: explain, ask otherwise, or go"
            " on with a default that you name."
        ),
        "zh": "用户关闭了问题而没有回答。请不要再问同样的问题：解释、换一种问法，或采用默认值继续并说明。",
    },
    "closed.reply_in_chat": {
        "en": "The user answers in the chat instead; what they wrote is their next message.",
        "zh": "用户改为在聊天中回复；其内容见下一条消息。",
    },
    "closed.expired": {
        "en": "Nobody answered in time. Go on with a default that you name, or say what is still open.",
        "zh": "在期限内没有人回答。请采用默认值继续并说明，或指出尚未确定的内容。",
    },
    "closed.aborted": {
        "en": "The run was stopped before the questions were answered.",
        "zh": "在问题得到回答之前，运行已被停止。",
    },
    # --- how plans were closed: never an approval --------------------------------------------------
    "plan_closed.cancelled": {
        "en": "The user closed the plan. It is not approved: nothing of it may be carried out.",
        "zh": "用户关闭了计划。计划未获批准：其中任何内容都不得执行。",
    },
    "plan_closed.reply_in_chat": {
        "en": "The user replies in the chat instead. The plan is not approved; what they wrote is their next message.",
        "zh": "用户改为在聊天中回复。计划未获批准；其内容见下一条消息。",
    },
    "plan_closed.expired": {
        "en": "Nobody decided on the plan in time. It is not approved: nothing of it may be carried out.",
        "zh": "在期限内没有人对计划做出决定。计划未获批准：其中任何内容都不得执行。",
    },
    "plan_closed.aborted": {
        "en": "The run was stopped before the plan was decided on. It is not approved.",
        "zh": "在对计划做出决定之前，运行已被停止。计划未获批准。",
    },
    # --- calls that were not allowed -----------------------------------------------------------------
    "denied.user": {
        "en": "The user did not allow this call. It was not carried out; do not send it again unchanged.",
        "zh": "用户不允许此调用。它没有执行；请勿原样再次发出。",
    },
    "denied.closed": {
        "en": "The user closed the request without allowing this call. It was not carried out.",
        "zh": "用户关闭了请求，没有允许此调用。它没有执行。",
    },
    "denied.timeout": {
        "en": "Nobody allowed this call in time. It was not carried out.",
        "zh": "在期限内没有人允许此调用。它没有执行。",
    },
    "denied.aborted": {
        "en": "The run was stopped before anybody decided on this call. It was not carried out.",
        "zh": "在有人对此调用做出决定之前，运行已被停止。它没有执行。",
    },
}


def system_text(language: str) -> str:
    """Return the system text of a plain chat: who the agent is, and when it asks."""
    return "\n\n".join((say("agent", language), say("when_to_ask", language)))


say = speaker(TEXTS)
