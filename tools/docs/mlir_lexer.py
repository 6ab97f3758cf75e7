"""A Pygments lexer for MLIR text, with the ops of tg."""

from pygments.lexer import RegexLexer, bygroups, include, words
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

# Types of builtin that have their dimensions or elements in angle brackets.
SHAPED = ("tensor", "memref", "vector")

# Types of builtin that are a single word.
SIMPLE = (
    r"(?:[su]?i\d+|bf16|tf32|f(?:16|32|64|80|128)|f[468]E\dM\d\w*"
    r"|index|none|complex|tuple)\b"
)


class MlirLexer(RegexLexer):
    """Splits MLIR text as MLIR's lexer does. It knows no op: a word with a dot
    is the name of an op, or an attribute if '=' follows."""

    name = "MLIR"
    aliases = ["mlir"]
    filenames = ["*.mlir"]
    mimetypes = ["text/x-mlir"]

    tokens = {
        "root": [
            include("blank"),
            (r'"', String, "string"),
            (r"%[\w$.-]+", Name.Variable),
            (r"(#)(\d+)", bygroups(Operator, Number.Integer)),
            (r"@[a-zA-Z_][\w$.]*", Name.Function),
            (r"@(?=\")", Name.Function),
            (r"\^[\w$.-]+", Name.Label),
            (r"![a-zA-Z_][\w$.-]*", Keyword.Type),
            (r"#[a-zA-Z_][\w$.-]*", Name.Constant),
            (
                words(SHAPED, prefix=r"\b", suffix=r"(<)"),
                bygroups(Keyword.Type, Punctuation),
                "shape",
            ),
            include("types and numbers"),
            (r"(?:true|false|unit|dense|sparse|array)\b", Keyword.Constant),
            (r"(?:module|func\.func|func\.return|func\.call)\b", Keyword),
            (r"(?:return|call|loc|attributes|private|public)\b", Keyword),
            (r"[a-zA-Z_][\w$.]*(?=\s*=[^=])", Name.Attribute),
            (r"[a-zA-Z_][\w$]*(?:\.[\w$]+)+", Name.Builtin),
            (r"[a-zA-Z_][\w$]*", Name),
            (r"->|::|==|>=|<=|\.\.\.", Operator),
            (r"\{-#|#-\}", Punctuation),
            (r"[=:+*/?|-]", Operator),
            (r"[(){}\[\]<>,]", Punctuation),
        ],
        "blank": [
            (r"\s+", Whitespace),
            (r"//[^\n]*", Comment.Single),
        ],
        "types and numbers": [
            (SIMPLE, Keyword.Type),
            (r"-?\d+\.\d*(?:[eE][-+]?\d+)?", Number.Float),
            (r"0x[0-9a-fA-F]+", Number.Hex),
            (r"-?\d+", Number.Integer),
        ],
        "string": [
            (r'[^"\\\n]+', String),
            (r'\\(?:[nt"\\]|[0-9a-fA-F]{2})', String.Escape),
            (r'"', String, "#pop"),
        ],
        # After "tensor<". A dimension ends with an x: 0xf32 is no number here.
        "shape": [
            (r"([\d]+|\?|\*)(\s*)(x)", bygroups(Number.Integer, Whitespace, Operator)),
            (r"\[", Punctuation),
            (r"\](?=\s*x)", Punctuation),
            (r"x(?=[\d?\[!a-z])", Operator),
            (r">", Punctuation, "#pop"),
            (r"<", Punctuation, "#push"),
            include("root"),
        ],
    }
