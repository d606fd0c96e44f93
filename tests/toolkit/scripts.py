"""Calls of code_execution as scripts have them."""


def code(program: str = "print(1)", ident: str = "c1", **more: object) -> dict[str, object]:
    """Return a call that runs a program."""
    return {"id": ident, "name": "code_execution", "arguments": {"language": "python", "code": program} | more}
