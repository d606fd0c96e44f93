"""The engine's own words to the model and to people, in both languages."""

from typing import Literal

from apps.common.bilingual import speaker

Language = Literal["en", "zh"]

WORDS: dict[str, dict[str, str]] = {
    "nudge": {
        "en": "Your last turn was empty. Answer the user now, or call a tool.",
        "zh": "你的上一轮是空的。请现在回答用户，或调用工具。",
    },
    "continue": {
        "en": "Your last message was cut off at its length limit. Continue it exactly where it stopped, repeating nothing.",
        "zh": "你的上一条消息因长度限制被截断。请从中断处原样继续，不要重复。",
    },
    "cut_call": {
        "en": "Your last turn was cut off at its length limit; its tool calls were not run. Go on with a shorter turn.",
        "zh": "你的上一轮因长度限制被截断，其中的工具调用没有执行。请用更短的一轮继续。",
    },
    "directive": {
        "en": "The rounds of this run are used up. Bring the work to its end and write the final answer for the user.",
        "zh": "本次运行的轮数已用完。请收尾，并为用户写出最终答案。",
    },
    "exhausted": {
        "en": "No answer was reached within the rounds of this run. Ask again, or allow more rounds.",
        "zh": "在本次运行的轮数内没有得出答案。请重新提问，或允许更多轮数。",
    },
    "left_out": {
        "en": "Earlier messages of this conversation were left out here, because it has become too long.",
        "zh": "由于对话过长，此处省略了较早的消息。",
    },
    "unknown_tool": {
        "en": "There is no tool named {name} here. Use only the tools that you were given.",
        "zh": "这里没有名为 {name} 的工具。请只使用提供给你的工具。",
    },
    "duplicate": {
        "en": "This call is an exact copy of another call of the same turn; that one's result stands.",
        "zh": "该调用与同一轮中的另一个调用完全相同；以那一个的结果为准。",
    },
    "outcome_unknown": {
        "en": "The service stopped while this tool was at work. Whether it took effect is unknown; check before you repeat it.",
        "zh": "该工具执行期间服务中断，无法确定是否生效。请先核实再重试。",
    },
    "tool_failed": {"en": "The tool ended with an error.", "zh": "工具执行出错。"},
    "remark": {
        "en": "The user allowed the call of {name} and wrote: {text}",
        "zh": "用户允许了对 {name} 的调用，并写道：{text}",
    },
    "approval_again": {
        "en": "What you allowed is not what would run now: the arguments' files, or the tool, have changed since.",
        "zh": "现在要执行的与你之前允许的不同：参数涉及的文件或工具本身已发生变化。",
    },
    "aborted": {"en": "The run was stopped before this tool was done.", "zh": "在该工具完成之前，运行已被停止。"},
    "ask_limit": {
        "en": "This run has asked its {limit} questions. Go on with what you know and say what you assumed.",
        "zh": "本次运行已提出 {limit} 个问题。请依据已知信息继续，并说明你的假设。",
    },
    "ask_repeated_answered": {
        "en": "The user has answered this question already: {answer}",
        "zh": "用户已经回答过这个问题：{answer}",
    },
    "ask_repeated_closed": {
        "en": "This question was asked in this run and closed without an answer. Do not ask it again; go on without it.",
        "zh": "本次运行已问过这个问题，且未得到回答便已关闭。请勿再问，继续进行。",
    },
    "ask_repeated_open": {
        "en": "This question is already open before the user.",
        "zh": "这个问题已在等待用户回答。",
    },
    "no_provider": {
        "en": "Nobody can answer questions here (a command line without a terminal). Tell the user to use the web interface.",
        "zh": "此处无人能回答问题（没有终端的命令行）。请告诉用户使用网页界面。",
    },
    "delegated_caller": {
        "en": "A delegated run cannot ask the user. Bring the open question back in your result.",
        "zh": "被委派的运行不能向用户提问。请在结果中带回这个未决问题。",
    },
    "lost_too_often": {
        "en": "The service stopped again and again while this run was at work; it was ended. It can be tried again.",
        "zh": "该运行执行期间服务多次中断，运行已结束。可以重试。",
    },
    "not_resumable": {
        "en": "The service was updated and cannot go on from here; start the task anew.",
        "zh": "服务已更新，无法从此处继续；请重新发起任务。",
    },
    "internal": {
        "en": "The service met an error of its own; the run was ended. It can be tried again.",
        "zh": "服务自身出错，运行已结束。可以重试。",
    },
    "ask_loop": {
        "en": "The model asked a question again and again that was already settled; the run was ended.",
        "zh": "模型反复提出已有定论的问题；运行已结束。",
    },
    "context_too_long": {
        "en": "This run has grown longer than the model's limit allows.",
        "zh": "本次运行的内容已超出模型允许的长度。",
    },
}


say = speaker(WORDS)
