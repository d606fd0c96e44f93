"""The words of the work tools to the model, in both languages."""

from apps.common.bilingual import speaker

WORDS: dict[str, dict[str, str]] = {
    "code_execution": {
        "en": (
            "Run a Python program and get what it prints. Use it to compute, to check a result with numbers, to plot."
            " sympy, numpy and matplotlib are installed; there is no network, no other package, no input and no second"
            " process. Each call is a new program: nothing is kept from the last one. Print what you want to see."
            " Files written to the current folder are handed to the user (matplotlib: savefig, never show)."
        ),
        "zh": (
            "运行一个 Python 程序并得到它打印的内容。用来计算、用数值检验结果、绘图。已安装 sympy、numpy 和 matplotlib；没有"
            "网络、没有其他软件包、没有输入，也不能启动别的进程。每次调用都是新的程序，不保留上一次的任何内容。想看到的内容要打印出来。"
            "写入当前目录的文件会交给用户（matplotlib 用 savefig，不要用 show）。"
        ),
    },
    "code_execution.language": {
        "en": "The language of the program; only python.",
        "zh": "程序的语言，只能是 python。",
    },
    "code_execution.code": {
        "en": "The whole program.",
        "zh": "完整的程序。",
    },
    "code_execution.timeout": {
        "en": "Seconds after which it is ended; {default} if not given, at most {limit}.",
        "zh": "超过多少秒就终止；不填为 {default}，最多 {limit}。",
    },
    # --- what is wrong with a call -------------------------------------------------------------------
    "bad_language": {
        "en": 'Only "python" can be run. Write the program in Python.',
        "zh": "只能运行 “python”。请用 Python 编写程序。",
    },
    "bad_timeout": {
        "en": "timeout must be a number of seconds above 0, such as 10.",
        "zh": "timeout 必须是大于 0 的秒数，例如 10。",
    },
    "unstorable_code": {
        "en": "The program holds a character that cannot be used (NUL, or half of a pair). Write it as an escape.",
        "zh": "程序中有无法使用的字符（NUL 或不成对的代理字符）。请改用转义写法。",
    },
    "sandbox_failed": {
        "en": "The sandbox did not run the program. Try once more; if it fails again, go on without running code.",
        "zh": "沙箱没有运行这个程序。可以再试一次；若仍失败，请不运行代码继续。",
    },
    # --- why a program was ended ---------------------------------------------------------------------
    "ended.timeout": {
        "en": "It was ended after {seconds:g} s. Make it faster or smaller, or give it a longer timeout.",
        "zh": "运行 {seconds:g} 秒后被终止。请让它更快、更小，或设置更长的 timeout。",
    },
    "ended.output": {
        "en": "It was ended because it printed too much. Print less, or write a file.",
        "zh": "因为输出太多而被终止。请少打印一些，或写入文件。",
    },
    "ended.disk": {
        "en": "It was ended because it wrote too much to its folder.",
        "zh": "因为向目录写入太多而被终止。",
    },
    "ended.threads": {
        "en": "It was ended because it started too many threads.",
        "zh": "因为启动的线程太多而被终止。",
    },
    # --- why a file was left out ---------------------------------------------------------------------
    "left_out.no_file": {"en": "not a plain file", "zh": "不是普通文件"},
    "left_out.name": {
        "en": "hidden, or a character in the name that cannot be shown",
        "zh": "隐藏文件，或文件名中有无法显示的字符",
    },
    "left_out.type": {"en": "a type that is not handed on", "zh": "不转交的文件类型"},
    "left_out.size": {"en": "too large", "zh": "太大"},
    "left_out.number": {"en": "too many files", "zh": "文件太多"},
}


say = speaker(WORDS)
