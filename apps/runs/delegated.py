"""What a delegated run is shown: its own system text, and of its parent's tools those that ask nobody."""

from collections.abc import Collection, Mapping

from apps.agent.approvals import Policy
from apps.agent.tools import AnyTool, Toolbox, is_ask_tool, is_state_tool
from apps.common.bilingual import speaker

NAME = "delegate"

WORDS: dict[str, dict[str, str]] = {
    "delegate": {
        "en": (
            "Give a part of the work to a helper that begins with nothing but your task: it sees neither this conversation"
            " nor its results, and it cannot ask the user. You get its final text, and the questions that it could not"
            " answer. Use it for work of its own that would otherwise fill this conversation, such as a long search."
        ),
        "zh": (
            "把一部分工作交给一个助手。它只知道你写的任务：看不到本对话及其结果，也不能向用户提问。你会得到它的最终文本，以及它"
            "无法回答的问题。适用于会占满本对话的独立工作，例如长时间的检索。"
        ),
    },
    "delegate.task": {
        "en": "The whole task with all that is needed to do it, and what the answer should hold.",
        "zh": "完整的任务，包括完成它所需的一切，以及答案应包含的内容。",
    },
    "delegate.tools": {
        "en": "The tools that the helper may use; if not given, all that there are.",
        "zh": "助手可以使用的工具；不填则为全部。",
    },
    "delegate.tool": {"en": "The name of a tool.", "zh": "工具的名称。"},
    "delegate_failed": {
        "en": "The helper did not come to an end. Do the work yourself, or give it away in smaller parts.",
        "zh": "助手没有完成。请自己完成，或拆成更小的部分再交出。",
    },
    "delegate_unknown_tool": {
        "en": "There is no tool {name} that a helper could use. There are: {names}.",
        "zh": "没有助手可用的工具 {name}。可用的有：{names}。",
    },
    "delegate_wanted": {"en": "May {name} be used?", "zh": "可以使用 {name} 吗？"},
    "system": {
        "en": (
            "You do one task for another agent. Nobody reads along, and you cannot ask the user anything: where a fact or a"
            " decision is missing, go on as far as you can and say at the end what is open. Your last message is your"
            " result; write everything into it that the other agent needs, and nothing else."
        ),
        "zh": (
            "你为另一个智能体完成一项任务。没有人在旁阅读，你也不能向用户提问：缺少事实或决定时，尽可能继续，并在结尾说明哪些问题"
            "尚未解决。你的最后一条消息就是结果；写入对方所需的一切，不写别的。"
        ),
    },
}


say = speaker(WORDS)


def tools_of_child(parents: Toolbox, policies: Mapping[str, Policy], only: Collection[str] | None) -> Toolbox:
    """Return the parent's tools for its child. Those that ask are in no schema; called all the same, they are refused."""
    kept = {name: tool for name, tool in parents.tools.items() if name != NAME and not _is_the_parents_own(tool)}
    unlisted = {name for name, tool in kept.items() if _asks(tool) or policies.get(name) == "ask"}
    if only is not None:
        kept = {name: tool for name, tool in kept.items() if name in only or name in unlisted}
    return Toolbox(kept, frozenset(unlisted))


def _asks(tool: AnyTool) -> bool:
    return is_ask_tool(tool) or is_state_tool(tool)


def _is_the_parents_own(tool: AnyTool) -> bool:
    """Say whether the tool works on the state of the parent's capability, which its child has not."""
    return is_state_tool(tool) and not tool.asks
