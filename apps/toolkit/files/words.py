"""The words of the tool `exec` to the model, in both languages."""

from apps.common.bilingual import speaker

WORDS: dict[str, dict[str, str]] = {
    "exec": {
        "en": (
            "Make one file for the user and hand it over; they can download it at once. It runs nothing and is no shell."
            " Use it for a report (pdf from Markdown), a table (csv, xlsx), or a text (markdown, text). Give the whole"
            " content; nothing of earlier files is kept. In your answer name the file; the user sees it beside the call."
        ),
        "zh": (
            "为用户生成一个文件并交付，用户可以立即下载。它不执行任何命令，也不是 shell。用于报告（由 Markdown 生成 pdf）、"
            "表格（csv、xlsx）或文本（markdown、text）。请给出完整内容；不会保留之前文件的任何内容。回答中提到文件名即可，"
            "用户会在这次调用旁边看到文件。"
        ),
    },
    "exec.kind": {
        "en": "What kind of file: pdf, csv, xlsx, markdown or text.",
        "zh": "文件类型：pdf、csv、xlsx、markdown 或 text。",
    },
    "exec.name": {
        "en": "The file's name without a path, such as report.pdf; at most {limit} characters. A missing ending is added.",
        "zh": "文件名，不含路径，例如 报告.pdf；最多 {limit} 个字符。缺少扩展名时会自动补上。",
    },
    "exec.content": {
        "en": (
            "pdf: Markdown with headings, lists, tables, code; formulas are printed as text, pictures left out."
            " csv and xlsx: rows as a list of lists, or the text of a CSV file; cells are never formulas."
            " markdown and text: the text as it is. At most {limit} characters."
        ),
        "zh": (
            "pdf：Markdown，可用标题、列表、表格、代码；公式按文本打印，图片会略去。"
            "csv 和 xlsx：行的列表（每行是一个列表），或 CSV 文本；单元格永远不是公式。"
            "markdown 和 text：原样写入的文本。最多 {limit} 个字符。"
        ),
    },
    "exec.rows": {"en": "The rows of a table, the head first.", "zh": "表格的各行，表头在最前。"},
    "exec.row": {
        "en": "The cells of one row: texts, numbers, true, false or null.",
        "zh": "一行的单元格：文本、数字、true、false 或 null。",
    },
    # --- what is wrong with a call -------------------------------------------------------------------
    "not_an_object": {
        "en": "The arguments must be one JSON object with kind, name and content.",
        "zh": "参数必须是一个 JSON 对象，包含 kind、name 和 content。",
    },
    "bad_kind": {
        "en": "kind must be one of: pdf, csv, xlsx, markdown, text.",
        "zh": "kind 必须是以下之一：pdf、csv、xlsx、markdown、text。",
    },
    "bad_name": {
        "en": (
            'name must be a plain file name such as report.pdf: no folder, no leading dot, none of / \\ : * ? " < > |,'
            " no invisible characters, at most {limit} characters."
        ),
        "zh": (
            'name 必须是普通文件名，例如 报告.pdf：不含目录，不以点开头，不含 / \\ : * ? " < > | 和不可见字符，'
            "最多 {limit} 个字符。"
        ),
    },
    "other_ending": {
        "en": "The name ends in .{ending}, which does not fit the kind {kind}. Use .{right}, or another kind.",
        "zh": "文件名以 .{ending} 结尾，与类型 {kind} 不符。请使用 .{right}，或换一种类型。",
    },
    "not_text": {
        "en": "content must be a text that is not blank.",
        "zh": "content 必须是非空文本。",
    },
    "not_table": {
        "en": 'content must be rows, such as [["name", "value"], ["a", 1]], or the text of a CSV file; it must not be empty.',
        "zh": 'content 必须是若干行，例如 [["名称", "数值"], ["a", 1]]，或 CSV 文本；不能为空。',
    },
    "too_long": {
        "en": "content has {count} characters; at most {limit} are taken. Shorten it, or make several files.",
        "zh": "content 有 {count} 个字符，最多 {limit} 个。请缩短，或分成几个文件。",
    },
    "bad_csv": {
        "en": (
            "content cannot be read as CSV: a quotation mark is not closed, or stands where it must not."
            " Rows as a list of lists need no quotes."
        ),
        "zh": "content 无法作为 CSV 读取：引号没有闭合，或位置不对。用行的列表则不需要引号。",
    },
    "too_many_rows": {
        "en": "The table has {count} rows; at most {limit} are taken.",
        "zh": "表格有 {count} 行，最多 {limit} 行。",
    },
    "too_many_columns": {
        "en": "A row has {count} cells; at most {limit} are taken.",
        "zh": "某一行有 {count} 个单元格，最多 {limit} 个。",
    },
    "too_many_cells": {
        "en": "The table has {count} cells; at most {limit} are taken.",
        "zh": "表格有 {count} 个单元格，最多 {limit} 个。",
    },
    "long_cell": {
        "en": "A cell of row {row} is longer than {limit} characters.",
        "zh": "第 {row} 行有单元格超过 {limit} 个字符。",
    },
    "wide_table": {
        "en": "A table has {count} columns; a page holds at most {limit}. Split it, or make an xlsx file.",
        "zh": "某个表格有 {count} 列，一页最多容纳 {limit} 列。请拆分，或生成 xlsx 文件。",
    },
    "too_many_pages": {
        "en": "The document has more than {limit} pages. Shorten it, or make several files.",
        "zh": "文档超过 {limit} 页。请缩短，或分成几个文件。",
    },
    "no_layout": {
        "en": "Something in the content does not fit on a page. Use simpler tables, or fewer levels of lists.",
        "zh": "内容中有放不进一页的部分。请使用更简单的表格或更少的列表层级。",
    },
    "too_large": {
        "en": "The file would be larger than {limit} bytes. Shorten the content, or make several files.",
        "zh": "文件会超过 {limit} 字节。请缩短内容，或分成几个文件。",
    },
    "too_many_files": {
        "en": "This session has {limit} files already. Go on without another one.",
        "zh": "此会话已有 {limit} 个文件。请不要再生成文件，继续即可。",
    },
    "too_slow": {
        "en": "Making the file took too long or too much memory. Use shorter paragraphs and tables, or make several files.",
        "zh": "生成文件耗时过长或占用内存过多。请使用更短的段落和表格，或分成几个文件。",
    },
    "failed": {
        "en": "The file could not be made. Try once more with simpler content; if it fails again, go on without the file.",
        "zh": "无法生成文件。可以用更简单的内容再试一次；若仍失败，请不生成文件继续。",
    },
    "replaced": {
        "en": "These characters have no sign in the file's fonts; a box stands for each.",
        "zh": "这些字符在文件的字体中没有字形，用方框代替。",
    },
}


say = speaker(WORDS)
