"""How a page is made: from a template of this folder, as one file without anything from the network, to stdout."""

import os
import sys

try:
    import jinja2
    from markupsafe import Markup  # noqa: F401 (for the pages)
except ImportError:
    sys.exit("Jinja2 is missing (Debian's package python3-jinja2)")

from runs import clean, count_marks

FOLDER = os.path.dirname(os.path.abspath(__file__))


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
