"""The words of geogebra_analysis to the model and its user, in both languages."""

from collections.abc import Sequence

from apps.common.bilingual import speaker

WORDS: dict[str, dict[str, str]] = {
    "geogebra_analysis": {
        "en": (
            "Rebuild a plane figure from GeoGebra commands, one a line, and get every object with its exact value; the user"
            " sees the figure. Use it to check coordinates, lengths, areas and angles, and to show a figure. Lines: A = (1, 2);"
            " B = (sqrt(3)/2, 0); a name = a command; later lines use the names of earlier ones, and each name is given once."
            " Commands: Segment(A, B); Line(A, B); Ray(A, B); Circle(A, radius), Circle(A, B), Circle(A, B, C);"
            " Polygon(A, B, C, ...), Polygon(A, B, number of corners); Midpoint(A, B); Intersect(a, b), Intersect(a, b, number);"
            " PerpendicularLine(A, a); ParallelLine(A, a); PerpendicularBisector(A, B); AngleBisector(A, apex, B);"
            " Distance(A, B or a); Length(segment); Area(polygon or circle); Angle(A, apex, B), from 0 to 180°."
            " Numbers are whole, decimal, fractions, sqrt(...), pi, with + - * / ^. Several intersections of a line named P are"
            " P_1, P_2. Nothing else of GeoGebra is known here."
        ),
        "zh": (
            "用 GeoGebra 命令（每行一条）还原平面图形，得到每个对象的精确值；用户会看到图形。用来核对坐标、长度、面积、角度，并"
            "展示图形。写法：A = (1, 2)；B = (sqrt(3)/2, 0)；名称 = 命令；后面的行可以使用前面的名称，每个名称只定义一次。命令："
            "Segment(A, B)；Line(A, B)；Ray(A, B)；Circle(A, 半径)、Circle(A, B)、Circle(A, B, C)；Polygon(A, B, C, ...)、"
            "Polygon(A, B, 边数)；Midpoint(A, B)；Intersect(a, b)、Intersect(a, b, 序号)；PerpendicularLine(A, a)；"
            "ParallelLine(A, a)；PerpendicularBisector(A, B)；AngleBisector(A, 顶点, B)；Distance(A, B 或 a)；Length(线段)；"
            "Area(多边形或圆)；Angle(A, 顶点, B)，范围 0 到 180°。数可以是整数、小数、分数、sqrt(...)、pi，可用 + - * / ^。"
            "名为 P 的一行若有多个交点，则为 P_1、P_2。除此之外的 GeoGebra 功能不可用。"
        ),
    },
    "commands": {
        "en": "The lines of the construction in order, at most {limit}.",
        "zh": "按顺序排列的作图命令，最多 {limit} 行。",
    },
    "command": {"en": "One line, such as M = Midpoint(A, B).", "zh": "一行，例如 M = Midpoint(A, B)。"},
    "image": {
        "en": "Name of the image that the figure comes from, if there is one. Images cannot be read here.",
        "zh": "图形来源的图片名称（如果有）。这里无法读取图片。",
    },
    # --- what is told beside the objects ----------------------------------------------------------------
    "shown": {"en": "The user sees this figure.", "zh": "用户可以看到这个图形。"},
    "image_not_read": {
        "en": (
            "The image was not read: this model sees no images here. Do not guess what it shows. Ask the user with ask_user for"
            " the coordinates, or for the points and how they lie to each other, then call geogebra_analysis with commands."
        ),
        "zh": (
            "没有读取图片：此处的模型看不到图片。不要猜测图中内容。请用 ask_user 向用户询问坐标，或询问有哪些点以及它们之间的"
            "关系，然后带上 commands 再次调用 geogebra_analysis。"
        ),
    },
    # --- one sentence for each object -------------------------------------------------------------------
    "told.point": {"en": "Point {name} = {at}.", "zh": "点 {name} = {at}。"},
    "told.segment": {
        "en": "Segment {name} from {start} to {end}, length {length}.",
        "zh": "线段 {name}，从 {start} 到 {end}，长度 {length}。",
    },
    "told.ray": {"en": "Ray {name} from {start} through {through}.", "zh": "射线 {name}，从 {start} 出发经过 {through}。"},
    "told.line": {"en": "Line {name}: {equation}.", "zh": "直线 {name}：{equation}。"},
    "told.circle": {
        "en": "Circle {name} with centre {center} and radius {radius}: {equation}.",
        "zh": "圆 {name}，圆心 {center}，半径 {radius}：{equation}。",
    },
    "told.polygon": {
        "en": "Polygon {name} with the corners {corners}, area {area}.",
        "zh": "多边形 {name}，顶点 {corners}，面积 {area}。",
    },
    "told.angle": {"en": "Angle {name} = {radians} = {degrees}.", "zh": "角 {name} = {radians} = {degrees}。"},
    "told.number": {"en": "{name} = {number}.", "zh": "{name} = {number}。"},
    "told.nothing": {"en": "{name}: no intersection.", "zh": "{name}：没有交点。"},
    # --- kinds, for forms of commands -------------------------------------------------------------------
    "kind.point": {"en": "point", "zh": "点"},
    "kind.segment": {"en": "segment", "zh": "线段"},
    "kind.ray": {"en": "ray", "zh": "射线"},
    "kind.line": {"en": "line", "zh": "直线"},
    "kind.straight": {"en": "line, ray or segment", "zh": "直线、射线或线段"},
    "kind.curve": {"en": "line, ray, segment, circle or polygon", "zh": "直线、射线、线段、圆或多边形"},
    "kind.circle": {"en": "circle", "zh": "圆"},
    "kind.polygon": {"en": "polygon", "zh": "多边形"},
    "kind.angle": {"en": "angle", "zh": "角"},
    "kind.number": {"en": "number", "zh": "数"},
    "kind.nothing": {"en": "nothing (no intersection)", "zh": "空（没有交点）"},
    "kind.more": {"en": "...", "zh": "..."},
    "or": {"en": " or ", "zh": " 或 "},
    # --- what is wrong with a call ----------------------------------------------------------------------
    "nothing_given": {"en": "commands must hold at least one line.", "zh": "commands 至少要有一行。"},
    "not_lines": {"en": "commands must be a list of texts, one command each.", "zh": "commands 必须是文本列表，每项一条命令。"},
    "many_lines": {"en": "commands has {count} lines; at most {limit}.", "zh": "commands 有 {count} 行，最多 {limit} 行。"},
    "failed": {
        "en": "The figure was not computed: it took too long, or too much memory. Use simpler numbers or fewer lines.",
        "zh": "没有算出图形：耗时过长或占用内存过多。请使用更简单的数或更少的行。",
    },
    "at_line": {"en": "Line {line}: {fault}", "zh": "第 {line} 行：{fault}"},
    # --- what is wrong with a line ----------------------------------------------------------------------
    "too_long": {"en": "it has {count} characters; at most {limit}.", "zh": "有 {count} 个字符，最多 {limit} 个。"},
    "too_complex": {"en": "it is too long or too deeply nested; use more lines.", "zh": "太长或嵌套太深，请拆成多行。"},
    "unknown_sign": {"en": "the sign {piece} is not known here.", "zh": "不认识符号 {piece}。"},
    "long_number": {"en": "the number {piece} is too long.", "zh": "数 {piece} 太长。"},
    "long_name": {"en": "the name {piece} has more than {limit} characters.", "zh": "名称 {piece} 超过 {limit} 个字符。"},
    "unfinished": {"en": "something is missing at its end.", "zh": "末尾缺少内容。"},
    "misfit": {"en": "{piece} does not fit where it stands.", "zh": "{piece} 的位置不对。"},
    "bad_pair": {"en": "a point has two coordinates: (x, y).", "zh": "点有两个坐标：(x, y)。"},
    "too_large": {"en": "a number becomes too large or too complicated.", "zh": "数变得太大或太复杂。"},
    "too_small": {"en": "a number becomes too small.", "zh": "数变得太小。"},
    "not_real": {"en": "a number is not real.", "zh": "出现了非实数。"},
    "negative_root": {"en": "this is the square root of a negative number.", "zh": "对负数开平方根。"},
    "division_by_zero": {"en": "this divides by zero.", "zh": "除数为零。"},
    "bad_exponent": {
        "en": "an exponent must be a whole number from -{limit} to {limit}, or 1/2.",
        "zh": "指数必须是 -{limit} 到 {limit} 的整数，或 1/2。",
    },
    "same_points": {"en": "two of the points are the same.", "zh": "有两个点重合。"},
    "on_one_line": {"en": "the three points lie on one line.", "zh": "三点共线。"},
    "parallel": {"en": "the lines are parallel.", "zh": "两条直线平行。"},
    "bad_radius": {"en": "a radius must be above 0.", "zh": "半径必须大于 0。"},
    "many_corners": {"en": "a polygon has at most {limit} corners.", "zh": "多边形最多 {limit} 个顶点。"},
    "irregular": {
        "en": "a regular polygon can have {numbers} corners; give the points of any other.",
        "zh": "正多边形的边数可以是 {numbers}；其他情况请给出各个顶点。",
    },
    "infinitely_many": {"en": "there are infinitely many intersections.", "zh": "有无穷多个交点。"},
    "no_such_intersection": {"en": "there is no such intersection; there are {count}.", "zh": "没有这个交点；共有 {count} 个。"},
    "unknown_command": {"en": "there is no command {name} here.", "zh": "这里没有命令 {name}。"},
    "wrong_arguments": {
        "en": "{name} does not take ({given}). It takes {forms}.",
        "zh": "{name} 不接受（{given}）。可用形式：{forms}。",
    },
    "not_usable": {"en": "this cannot be used here.", "zh": "这里不能使用它。"},
    "name_taken": {"en": "the name {name} is taken already.", "zh": "名称 {name} 已被使用。"},
    "many_things": {"en": "there are more than {limit} objects.", "zh": "对象超过 {limit} 个。"},
    "several": {
        "en": "{name} stands for several intersections; write {name}_1, {name}_2.",
        "zh": "{name} 有多个交点，请写 {name}_1、{name}_2。",
    },
    "several_inside": {
        "en": "this has several results; give it a line and a name of its own.",
        "zh": "这里有多个结果，请单独用一行并命名。",
    },
    "command_alone": {"en": "{name} needs its arguments in brackets.", "zh": "{name} 需要写上括号和参数。"},
    "unknown_name": {"en": "the name {name} is not defined before this line.", "zh": "名称 {name} 在此行之前没有定义。"},
    "no_number": {"en": "a number must stand where a {given} stands.", "zh": "此处应为数，却是{given}。"},
}


say = speaker(WORDS)


def kinds(names: Sequence[str], language: str) -> str:
    """Return kinds of things as one list."""
    return ", ".join(say(f"kind.{name}", language) for name in names)
