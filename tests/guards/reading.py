"""What a Markdown cell says: prose, mathematics, labels, directives, roles; read by MyST's parser."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
EXTENSIONS = set(CONFIG["parse"]["myst_enable_extensions"])
PARSER = create_md_parser(MdParserConfig(enable_extensions=EXTENSIONS), RendererHTML)

NOT_PROSE = {
    "bibliography",
    "code",
    "code-block",
    "eval-rst",
    "include",
    "index",
    "literalinclude",
    "math",
    "raw",
    "tableofcontents",
    "toctree",
}
ARGUMENT_NOT_PROSE = NOT_PROSE | {
    "figure",
    "image",
    "solution",
    "solution-start",
    "code-cell",
    "hints",
    "explorable",
}
CITED = "\ufffc"  # stands in the prose where a work is cited
SPACE = {
    "softbreak": " ",
    "hardbreak": " ",
    "code_inline": " ",
    "math_inline": " ",
    "math_single": " ",
    "myst_role": " ",
    "html_inline": " ",
    "footnote_ref": "",
}


@dataclass(frozen=True)
class Directive:
    name: str
    argument: str
    options: dict[str, str]
    body: str


@dataclass
class Reading:
    """`prose` has one string for each paragraph, title, caption or table cell."""

    prose: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    math: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    directives: list[Directive] = field(default_factory=list)
    roles: list[tuple[str, str]] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    images: list[tuple[str, str]] = field(default_factory=list)


@cache
def read(markdown: str) -> Reading:
    """Parse one cell (or page); directives are read recursively, in the order of the text."""
    reading = Reading()
    _read(markdown, reading)
    return reading


def targets(role: str) -> list[str]:
    """The labels that a role's content names: `a,b` or `title <a>`."""
    inner = re.search(r"<([^<>]+)>\s*$", role)
    return [label.strip().lstrip("!") for label in (inner[1] if inner else role).split(",")]


def _read(markdown: str, out: Reading) -> None:
    for token in PARSER.parse(markdown):
        out.labels += [token.attrs["id"]] if "id" in token.attrs else []
        match token.type:
            case "inline":
                out.prose.append(_inline(token, out))
            case "myst_target":
                out.labels.append(token.content)
            case "math_block" | "math_block_label" | "amsmath":
                out.math.append(token.content)
                out.labels += [token.info] if token.type == "math_block_label" else []
            case "html_block":
                out.html.append(token.content)
            case "fence" | "colon_fence" if token.info.startswith("{"):
                _directive(token, out)


def _inline(token: Token, out: Reading) -> str:
    text, in_link = [], 0
    for child in token.children or []:
        match child.type:
            case "text":
                (out.links if in_link else text).append(child.content)
            case "link_open" | "link_close":
                in_link += 1 if child.type == "link_open" else -1
                text.append(" ")
            case "math_inline" | "math_single" | "math_inline_double":
                out.math.append(child.content)
            case "myst_role":
                out.roles.append((child.meta["name"], child.content))
                out.math += [child.content] if child.meta["name"] == "math" else []
                text.append(CITED if child.meta["name"].startswith("cite") else "")
            case "html_inline":
                out.html.append(child.content)
            case "image":
                out.images.append((str(child.attrs["src"]), child.content))
        text.append(SPACE.get(child.type, ""))
    return "".join(text)


def _directive(token: Token, out: Reading) -> None:
    name, _, argument = token.info[1:].partition("}")
    options, body = _split(token.content)
    out.directives.append(Directive(name, argument.strip(), options, body))
    out.labels += [options[key] for key in ("label", "name") if key in options]
    if name == "math":
        out.math.append(body)
    elif name == "raw":
        out.html.append(body)
    if name not in ARGUMENT_NOT_PROSE:
        _read(argument.strip(), out)
    if name not in NOT_PROSE:
        _read(body, out)


def _split(content: str) -> tuple[dict[str, str], str]:
    """Separate a directive's options, written `:key: value` or between `---`, from its body."""
    lines = content.split("\n")
    if lines[0].strip() == "---" and "---" in (rest := [line.strip() for line in lines[1:]]):
        end = rest.index("---") + 1
        return dict(_pairs(lines[1:end], r"\s*([\w-]+):\s*(.*)")), "\n".join(lines[end + 1 :])
    end = next(
        (i for i, line in enumerate(lines) if not re.match(r"\s*:[\w-]+:", line)), len(lines)
    )
    return dict(_pairs(lines[:end], r"\s*:([\w-]+):\s*(.*)")), "\n".join(lines[end:])


def _pairs(lines: list[str], pattern: str) -> Iterator[tuple[str, str]]:
    for line in lines:
        if found := re.match(pattern, line):
            yield found[1], found[2].strip().strip("\"'")
