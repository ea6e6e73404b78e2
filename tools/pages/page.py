"""How a page is made: from a template of a room, as one file without anything from the network."""

import json
import sys

try:
    import jinja2
    from markupsafe import Markup, escape
except ImportError:
    sys.exit("Jinja2 is missing (Debian's package python3-jinja2)")

from runs import clean, count_marks


def data_of(value: object) -> Markup:
    """For a script of type application/json, which no text can end."""
    return Markup(json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))


def prose(text: str) -> Markup:
    """A sentence of SPEC.md: what stands between backticks is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return Markup("").join(Markup("<code>{}</code>").format(part) if number % 2 else part for number, part in enumerate(parts))


def render_page(template: str, **content: object) -> bytes:
    """Everything in the content is text, and escaped, but for what is markupsafe's Markup."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(sys.path),  # the rooms
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals["count_marks"] = count_marks
    environment.filters["prose"] = prose
    return clean(environment.get_template(template).render(content)).encode()
