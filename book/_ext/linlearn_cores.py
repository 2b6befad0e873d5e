"""Pages are read and written by as many processes as there are cores.

Sphinx can do so, too; but it does not see that pages which different processes have read give the same name,
and when it writes, one process does half of the work. Here each process takes the next page that nobody has
taken and does all that is to be done with it; in the end it hands over what it has found. That is put
together in the order of the pages, whoever read or wrote them, so it is what one process would have found.
"""

import os
import pickle
import sys
from array import array

from linlearn_again import INDEXED
from sphinx.builders import Builder
from sphinx.util import logging
from sphinx.util.build_phase import BuildPhase
from sphinx.util.parallel import ParallelTasks, parallel_available
from sphinx_proof.domain import ProofDomain

LOG = logging.getLogger(__name__)

# Of what kind a name is, and where the environment keeps all of this kind, each with its page.
NAMES = {
    "label": ("std", "labels"),
    "object": ("std", "objects"),
    "term": ("std", "terms"),
    "equation": ("math", "objects"),
    "citation": ("citation", "citations"),
    "name in Python": ("py", "objects"),
    "theorem": ("proof_list",),
    "exercise": ("sphinx_exercise_registry",),
}


def shared(items):
    """The items, each for one of the processes that are forked from here on."""
    end, begin = os.pipe()
    os.write(begin, array("H", range(len(items))).tobytes())
    os.close(begin)
    return (items[int.from_bytes(k, sys.byteorder)] for k in iter(lambda: os.read(end, 2), b""))


def on_all_cores(app, work, items):
    """What `work` makes of its share of the items, in each process; what they log is logged here."""
    if not parallel_available or app.parallel < 2:
        return [work(iter(items))]
    made, share, tasks = [], shared(items), ParallelTasks(app.parallel)
    for _ in range(min(app.parallel, len(items))):
        tasks.add_task(work, share, lambda _, result: made.append(result))
    tasks.join()
    return made


def longest_first(env, names):
    """So that in the end no process waits for one that has just begun with a long page."""
    return sorted(names, key=lambda name: (-os.path.getsize(env.doc2path(name)), name))


# Reading --------------------------------------------------------------------------------------


def read(builder, names, nproc):
    env = builder.env
    for name in names:
        builder.events.emit("env-purge-doc", env, name)
        env.clear_doc(name)

    def parse(share):
        mine = [
            name for pages in share for name in pages if not builder.read_doc(name, _cache=False)
        ]
        return mine, pickle.dumps(env, pickle.HIGHEST_PROTOCOL)

    # The reference imports the package and more, which takes as long as to read twenty pages.
    reference = [name for name in names if name.startswith("book/reference")]
    others = longest_first(env, set(names) - set(reference))
    together = [reference, *([name] for name in others)]
    parsed = on_all_cores(builder.app, parse, together)
    parsed = [(mine, pickle.loads(other)) for mine, other in parsed]
    warn_of_twins(env, parsed)
    reader = {name: other for mine, other in parsed for name in mine}
    for name in names:
        env.merge_info_from([name], reader[name], builder.app)


def warn_of_twins(env, parsed):
    """Of names that pages of different processes give, since each of these has seen its own pages only."""
    found = {}
    for mine, other in parsed:
        for name, page in given(other):
            if page in mine and found.setdefault(name, page) != page:
                said = "duplicate %s %s, other instance in %s"
                LOG.warning(said, *name, env.doc2path(found[name]), location=page)


def given(env):
    """Every name that pages give, with its kind, and the page."""
    for kind, (place, *part) in NAMES.items():
        known = env.domaindata[place][part[0]] if part else getattr(env, place, {})
        for name, entry in known.items():
            if isinstance(entry, dict):
                yield (kind, name), entry["docname"]
            elif not getattr(entry, "aliased", False):  # another name of what has one
                yield (kind, name), entry[0]


# Writing --------------------------------------------------------------------------------------


def write(builder, names, nproc):
    def write_share(share):
        for name in share:
            builder.app.phase = BuildPhase.RESOLVING
            tree = builder.env.get_and_resolve_doctree(name, builder)
            builder.app.phase = BuildPhase.WRITING
            builder.write_doc_serialized(name, tree)
            builder.write_doc(name, tree)
        return builder.images, index(builder)

    written = on_all_cores(builder.app, write_share, longest_first(builder.env, names))
    for images, _ in written:
        builder.images.update(images)
    for known, *found in zip(index(builder), *(found for _, found in written), strict=True):
        for key, value in (item for new in found for item in new.items()):
            # Of a word, all pages that it is on; else what one page has.
            known[key] = known.get(key, set()) | value if isinstance(value, set) else value
        in_order = sorted(known.items())
        known.clear()
        known.update(in_order)


def index(builder):
    """What the search knows."""
    return [getattr(builder.indexer, name) for name in INDEXED] if builder.search else []


def use_all_cores(app):
    app.parallel = os.cpu_count() or 1
    # It numbers when all is read, and does not say that it may be there meanwhile.
    app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True


def setup(app):
    ProofDomain.merge_domaindata = lambda *_: None  # it keeps nothing: see `proof_list`
    Builder._read_parallel = read
    Builder._write_parallel = write
    app.connect("builder-inited", use_all_cores)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
