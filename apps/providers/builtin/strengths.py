"""How strongly operators hold their operands together: parser and renderer share the numbers."""

RELATION, WHOLE_REMAINDER, SUM, REMAINDER, NEGATION, PRODUCT, TIGHT, POWER, POSTFIX, ATOM = 10, 15, 20, 25, 29, 30, 35, 40, 50, 60
"""From the loosest to the tightest. A remainder holds tighter than a sum, or with the other reading looser; a product without
a sign holds like any product, or with the other reading tighter."""
