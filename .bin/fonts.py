"""Make matplotlib's list of fonts, and let a font with Chinese characters stand behind its own, which has none.

Run by install with the interpreter of code_execution. Programs can read the system's fonts only.
"""

from pathlib import Path

from matplotlib import font_manager, get_configdir

SYSTEM = "/usr/share/fonts/"
CHINESE = (
    *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN"),
    *("WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback", "AR PL UMing CN"),
)

there = {font.name for font in font_manager.fontManager.ttflist if font.fname.startswith(SYSTEM)}
families = ["sans-serif", *[name for name in CHINESE if name in there][:1]]
Path(get_configdir(), "matplotlibrc").write_text(f"font.family: {', '.join(families)}\n", encoding="utf-8")
