"""Building again: a second build is quick, and gives file for file what a first one gives.

A page whose text is unchanged is not parsed again. Where nothing has changed either of what pages show of
one another (titles, numbers, labels, citations), only the parsed pages are written; otherwise all are. All
pages are read back to number what they hold only where that, or its order, has changed. What was made is kept
only from a build that ended without a warning, and only while nothing but pages has changed.
"""

import hashlib
import json
import pickle
import re
import shutil
import sys
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import toctree
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.domains.std import StandardDomain
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector

PAGES = (".ipynb", ".md")
KEPT = "kept.pickle"
INDEXED = ("_titles", "_filenames", "_mapping", "_title_mapping", "_all_titles", "_index_entries")
INDEXED += ("places",)  # of linlearn_search

# What the environment knows that no page shows of another: the run's own affairs, and a page's inside.
OF_THE_RUN = (
    "app config config_status config_status_extra doctreedir domains events project settings srcdir"
)
OF_THE_RUN += " mystnb_config myst_config sd_config version versioning_compare versioning_condition"
OF_A_PAGE = (
    "all_docs dependencies dlfiles images included linlearn_texts metadata nb_metadata temp_data"
)
OF_A_PAGE += " linlearn_bones"
OF_A_PAGE += " nb_new_exec_data ref_context titles_old reread_always original_image_uri domaindata"
OF_A_PAGE += " sphinx_exercise_gated_registry sphinx_exercise_node_order sphinx_exercise_registry"
OF_A_DOMAIN = "bibdata bibliographies entries root_symbol"  # the index is written by every build

# What is read again ---------------------------------------------------------------------------


def surroundings(root):
    """A digest of all that pages are made from beside their own text."""
    files = [root / name for name in ("_config.yml", "_toc.yml", "requirements.txt")]
    files += sorted(
        path for room in ("book", "linlearn", "proofs") for path in (root / room).rglob("*")
    )
    others = [path for path in files if path.is_file() and path.suffix not in (*PAGES, ".pyc")]
    titles = [first_heading(path) for path in files if path.suffix == ".ipynb"]  # in the reference
    named = repr((sys.version, [path.name for path in others], titles)).encode()
    return digest(named, *(path.read_bytes() for path in others))


def digest(*parts):
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def first_heading(notebook):
    first = "".join(json.loads(notebook.read_text(encoding="utf-8"))["cells"][0]["source"])
    return re.search(r"^# .*$|\Z", first, re.MULTILINE)[0]


def start(app):
    """Take what the last build kept; without it, or where it cannot be trusted, start with nothing."""
    mark = Path(app.doctreedir, KEPT)
    app.linlearn_last = pickle.loads(mark.read_bytes()) if mark.exists() else {}
    # An edit from now on is for the next build.
    app.linlearn_surroundings = surroundings(Path(app.srcdir))
    if app.linlearn_last.get("surroundings") != app.linlearn_surroundings:
        app.linlearn_last = {}
        empty(app.doctreedir)
    if Path(app.outdir, ".buildinfo").exists():  # a build's own folder
        # Pages name the digests of those of their files that are there when they are written.
        empty(Path(app.outdir, "_static") if app.linlearn_last else app.outdir)
    app.linlearn_found = written(app)
    mark.unlink(missing_ok=True)  # until this build has ended well, too


def written(app):
    """The pages that lie there, each with the moment it was written at."""
    return {page: page.stat().st_mtime_ns for page in Path(app.outdir).rglob("*.html")}


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    Path(folder).mkdir(parents=True)


def changed_pages(app, env, added, changed, removed):
    """The pages whose text is not what was parsed, whatever the dates of their files say."""
    known = getattr(env, "linlearn_texts", {})
    env.linlearn_texts = {
        name: digest(Path(env.doc2path(name)).read_bytes()) for name in env.found_docs
    }
    return [name for name, text in env.linlearn_texts.items() if known.get(name) != text]


def say_what_is_read(app, env, names):
    print(f"==> Parsing {len(names)} of {len(env.found_docs)} pages", flush=True)


# What pages ask of one another ----------------------------------------------------------------


def bones(element):
    """What another page can ask of this one: what has a name, where, of what parts, and titles."""
    copy = bare(element)
    for child in element.children:
        if isinstance(child, nodes.title | nodes.caption):
            copy += type(child)("", child.astext())
        elif isinstance(child, nodes.Element):
            part = bones(child)
            kept = child["ids"] or isinstance(child, toctree) or parts(element)
            copy.extend([part] if kept else part.children)
    return copy


def bare(element):
    """The element without what is in it, and without the page that it is on."""
    copy = nodes.section() if isinstance(element, nodes.document) else element.copy()
    copy.document, copy.rawsource = None, ""
    return copy


def outline(page):
    """All that has a name, in order: where it stands, and of what parts it is, such as a caption."""
    named = (n for n in page.findall(nodes.Element) if n["ids"] or isinstance(n, toctree))
    return [(n.tagname, n["ids"], n.parent and n.parent["ids"], parts(n)) for n in named]


def parts(node):
    if isinstance(node, nodes.section | nodes.document) or not node["ids"]:
        return node.get("entries")
    return [child.tagname for child in node if isinstance(child, nodes.Element)]


def keep_bones(app, page):
    """And no more: a page that is kept for a title in it makes what is kept ten times as large."""
    env = app.env
    found = bones(page)
    found.ids = {name: n for n in found.findall(nodes.Element) for name in n["ids"]}
    env.__dict__.setdefault("linlearn_bones", {})[env.docname] = found
    for entry in getattr(env, "sphinx_exercise_registry", {}).values():
        if entry["docname"] == env.docname:
            entry["node"] = titled(entry["node"])


def titled(box):
    """The box with its title, and nothing else."""
    copy = bare(box)
    copy += box.children[0].deepcopy()
    for each in copy.findall():
        each.document = None
    return copy


def merge_bones(app, env, names, other):
    """Of pages that another process has read."""
    known = env.__dict__.setdefault("linlearn_bones", {})
    known.update({name: other.linlearn_bones[name] for name in names})


def from_bones(function):
    """The function, for which a page is its bones: else it would load the page for each question."""

    def asked(*arguments):
        load = BuildEnvironment.get_doctree
        BuildEnvironment.get_doctree = lambda env, name: env.linlearn_bones[name]
        try:
            return function(*arguments)
        finally:
            BuildEnvironment.get_doctree = load

    return asked


# What is written again ------------------------------------------------------------------------


def shown(value):
    """A text that is the same where all is the same that a page could show of this value."""
    if isinstance(value, nodes.Node):
        return value.pformat()
    if isinstance(value, dict):
        items = sorted((shown(k), shown(v)) for k, v in value.items() if k != "line")
        return f"{{{', '.join(f'{k}: {v}' for k, v in items)}}}"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(shown, value)))}}}"
    if isinstance(value, list | tuple):
        return f"({', '.join(map(shown, value))})"
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def face(env):
    """All that pages may show of one another; what is not known to be a page's own is counted."""
    own = {*OF_THE_RUN.split(), *OF_A_PAGE.split()}
    known = {k: v for k, v in vars(env).items() if k not in own and not k.startswith("_")}
    for domain, data in env.domaindata.items():
        inside = OF_A_DOMAIN.split()
        known[f"domain {domain}"] = {k: v for k, v in data.items() if k not in inside}
    known["domain cite"]["citation_refs"] = set(map(repr, env.domaindata["cite"]["citation_refs"]))
    return {name: digest(shown(value).encode()) for name, value in known.items()}


def all_that_may_differ(app, env):
    """All pages, unless what they show of one another is as the last build left it."""
    app.linlearn_face = face(env)
    same = app.linlearn_last.get("face") == app.linlearn_face
    return [] if same else env.found_docs


def load_indexer(builder, docnames):
    """Give the search what the last build has found on the pages that are not written again."""
    pages = builder.env.found_docs
    print(f"==> Writing {len(docnames)} of {len(pages)} pages", flush=True)
    keep = pages - docnames
    for name, value in builder.app.linlearn_last.get("index", {}).items() if keep else ():
        setattr(builder.indexer, name, value)
    builder.indexer.prune(keep)
    for words in (builder.indexer._mapping, builder.indexer._title_mapping):
        for word in [word for word, pages in words.items() if not pages]:
            del words[word]


def keep_index(app):
    """Sphinx writes the index as what the search page reads, which leaves out some of this."""
    dump = app.builder.dump_search_index

    def kept():
        app.linlearn_index = {name: getattr(app.builder.indexer, name) for name in INDEXED}
        dump()

    app.builder.dump_search_index = kept


def remember(app, exception):
    """Drop drawings that no page has any more; keep what the next build can use."""
    if exception or app.builder.format != "html":
        return
    drawings = {Path(name).stem for _, name in app.env.images.values()}
    for path in Path(app.outdir, "_images").glob("*.svg"):
        if path.name.removesuffix(".svg").removesuffix(".dark") not in drawings:
            path.unlink()
    if not app._warncount:
        kept = {"surroundings": app.linlearn_surroundings, "face": app.linlearn_face}
        kept["index"] = app.linlearn_index
        Path(app.doctreedir, KEPT).write_bytes(pickle.dumps(kept))


def setup(app):
    start(app)
    StandaloneHTMLBuilder.load_indexer = load_indexer
    StandardDomain._resolve_numref_xref = from_bones(StandardDomain._resolve_numref_xref)
    TocTreeCollector.assign_figure_numbers = from_bones(TocTreeCollector.assign_figure_numbers)
    app.connect("doctree-read", keep_bones, priority=900)  # as the others have left it
    app.connect("env-merge-info", merge_bones)
    app.connect("builder-inited", keep_index)
    app.connect("env-get-outdated", changed_pages)
    app.connect("env-before-read-docs", say_what_is_read)
    app.connect("env-get-updated", all_that_may_differ, priority=900)  # when all is numbered
    app.connect("build-finished", remember, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
