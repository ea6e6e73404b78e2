"""How a page is made: from a template of this folder, as one file without anything from the network, to stdout."""

import os
import re
import sys

try:
    import jinja2
    from markupsafe import Markup  # noqa: F401 (for the pages)
except ImportError:
    sys.exit("Jinja2 is missing (Debian's package python3-jinja2)")

from runs import count_marks

FOLDER = os.path.dirname(os.path.abspath(__file__))
# Characters that no document may hold: controls, and code points that are no characters.
FORBIDDEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    return FORBIDDEN.sub("?", text)


def write_page(template: str, **content) -> None:
    """Everything in the content is text, and escaped, but for what is markupsafe's Markup."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals["count_marks"] = count_marks
    page = environment.get_template(template).render(content)
    sys.stdout.buffer.write(clean(page).encode())
