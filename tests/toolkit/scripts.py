"""Calls of the work tools as scripts have them."""


def code(program: str = "print(1)", ident: str = "c1", **more: object) -> dict[str, object]:
    """Return a call that runs a program."""
    return {"id": ident, "name": "code_execution", "arguments": {"language": "python", "code": program} | more}


def make(kind: str = "text", name: str = "notes.txt", content: object = "hello", ident: str = "f1") -> dict[str, object]:
    """Return a call that makes a file."""
    return {"id": ident, "name": "exec", "arguments": {"kind": kind, "name": name, "content": content}}
