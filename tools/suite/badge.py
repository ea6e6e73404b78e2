"""The picture of `dloc report --badge`, an SVG that says how a run ended."""

from xml.sax.saxutils import escape

from runs import Run, clean

GREEN, RED, GREY = "#1a7f37", "#b3261e", "#57606a"
CHARACTER, MARGIN = 6.6, 8  # pixels; textLength makes every font as wide

PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{whole}">
<title>{whole}</title>
<clipPath id="round"><rect width="{width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="{split}" height="20" fill="#30363d"/><rect x="{split}" width="{rest}" height="20" fill="{colour}"/></g>
<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
<text x="8" y="14" textLength="{left_length}">{left}</text>
<text x="{right_start}" y="14" textLength="{right_length}">{right}</text>
</g>
</svg>
"""


def ending(run: Run) -> tuple[str, str]:
    expected, different = (sum(result.mark.kind == kind for result in run.all) for kind in ("expected", "different"))
    if run.partial:
        return "partial", GREY
    if run.totals["good"]:
        return f"{expected:,} as expected", GREEN
    return (f"{different:,} different, {expected:,} as expected" if different else "not as expected"), RED


def badge(run: Run) -> str:
    left = f"dloc: {run.label or run.profile}"
    right, colour = ending(run)
    lengths = [round(len(text) * CHARACTER) for text in (left, right)]
    split, rest = (length + 2 * MARGIN for length in lengths)
    texts = {name: escape(clean(text), {'"': "&quot;"}) for name, text in (("left", left), ("right", right), ("whole", f"{left}: {right}"))}
    return PICTURE.format(width=split + rest, split=split, rest=rest, colour=colour, left_length=lengths[0], right_length=lengths[1],
                          right_start=split + MARGIN, **texts)
