"""The settings of Sphinx, which makes the pages of the documents."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

project = "tgc"
author = "the authors of tgc"
root_doc = "README"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "python_module"]
source_suffix = {".md": "markdown"}

# Anchors of headings as on hosts of code.
myst_heading_anchors = 6
myst_enable_extensions = ["attrs_inline"]

# The Python module tgc, whose docstrings mark code by single backticks.
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
add_module_names = False
default_role = "code"
python_maximum_signature_line_length = 90
python_use_unqualified_type_names = True

# Blocks without a language are indented commands.
highlight_language = "bash"

html_theme = "furo"
html_title = "tgc"
html_static_path = ["style"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# A summary of each result would need a server.
html_show_search_summary = False
html_use_index = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1d4ed8", "color-brand-content": "#1d4ed8"},
    "dark_css_variables": {"color-brand-primary": "#7aa2ff", "color-brand-content": "#7aa2ff"},
}
pygments_style = "friendly"
pygments_dark_style = "github-dark"


def setup(app):
    """Adds the highlighting of models as text."""
    from mlir_lexer import MlirLexer

    app.add_lexer("mlir", MlirLexer)
