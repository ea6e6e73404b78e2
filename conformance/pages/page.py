"""How a page is made: from a template of this folder, as one file without anything from the network."""

import os
import sys

try:
    import jinja2
    from markupsafe import Markup  # noqa: F401 (for the pages)
except ImportError:
    sys.exit("Jinja2 is missing (Debian's package python3-jinja2)")

from runs import clean, count_marks

FOLDER = os.path.dirname(os.path.abspath(__file__))


def render_page(template: str, **content) -> bytes:
    """Everything in the content is text, and escaped, but for what is markupsafe's Markup."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals["count_marks"] = count_marks
    return clean(environment.get_template(template).render(content)).encode()


def write_page(template: str, **content) -> None:
    sys.stdout.buffer.write(render_page(template, **content))
