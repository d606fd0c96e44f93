"""Turns of the model that are no message of the conversation: those that the engine sent back, and those that were cut."""

from collections.abc import Iterable, Sequence

from apps.chat.models import Message, Run


def is_sent_back(message: Message, *, has_calls: bool) -> bool:
    """Say whether a text was meant as the answer, but the model was sent back to its plan."""
    is_answer = message.role == Message.Role.ASSISTANT and bool(message.text.strip()) and not has_calls
    return is_answer and not message.final and message.finish == "stop"


def cut_turns(page: Sequence[Message], newer_run: int | None) -> set[int]:
    """Return the keys of cut turns whose text stands, joined with what followed, in a later turn, or soon will.

    The last words of a run that came to nothing after them are kept.
    """
    last_turns = {each.run_id: each.pk for each in page if each.role == Message.Role.ASSISTANT}
    return {
        each.pk
        for each in page
        if each.finish == "length"
        and not each.final
        and (each.run.status in Run.ACTIVE or each.pk != last_turns[each.run_id] or each.run_id == newer_run)
    }


def final_texts(runs: Iterable[int]) -> dict[int, str]:
    """Return the final text of each of these runs that has one; no query if there are none."""
    wanted = set(runs)
    if not wanted:
        return {}
    return dict(Message.objects.filter(run__in=wanted, final=True).values_list("run_id", "text"))
