"""A session with very many rows."""

import sqlite3


def fill(database: sqlite3.Connection, session: str, rows: int) -> None:
    """Let the session's first run hold so many messages more, by turns of the person and the agent."""
    columns = [row[1] for row in database.execute("PRAGMA table_info(chat_message)") if row[1] not in ("id", "public_id")]
    taken = ", ".join(f"m.{name}" for name in columns)
    database.execute(
        f"""WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?),
        source AS (SELECT m.*, row_number() OVER (ORDER BY m.id) AS place FROM chat_message m
          JOIN chat_run r ON r.id = m.run_id JOIN chat_chatsession s ON s.id = r.session_id WHERE s.public_id = ?)
        INSERT INTO chat_message (public_id, {", ".join(columns)})
        SELECT 'msg_' || lower(hex(randomblob(16))), {taken} FROM n JOIN source m ON m.place = 1 + n.i % 2""",
        (rows, session),
    )
