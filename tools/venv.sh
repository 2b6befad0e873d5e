#!/bin/sh
# Make .venv hold the packages of requirements.txt, with `bench` or `lab` those of requirements/*.txt too,
# at their pins, and linlearn itself, editable. A file that a package index offers in place of one that is
# pinned has another hash, and stops the installation. Does nothing, and asks no network, when that was done
# before; PYTHON=/path/to/python chooses the interpreter. uv installs, since it is quick; where it cannot be
# had or fails, pip does.
set -eu
more=${1:+requirements/$1.txt}
installer=requirements/installer.txt
py=.venv/bin/python

recent='import sys; sys.exit(sys.version_info < (3, 11))'

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        if "$PYTHON" -c "$recent" >/dev/null 2>&1; then command -v "$PYTHON"; return; fi
        echo "PYTHON=$PYTHON is not a Python 3.11 or later. Name another, or leave PYTHON out." >&2
        exit 1
    fi
    for candidate in python3.13 python3.12 python3.11 python3 python; do
        if "$candidate" -c "$recent" >/dev/null 2>&1; then
            command -v "$candidate"
            return
        fi
    done
    echo "This needs Python 3.11 or later, and none was found on the PATH." >&2
    echo "Install one, or name it: make PYTHON=/path/to/python3" >&2
    exit 1
}

# What the environment was made from: the pins, the package's metadata, and this folder's place.
wanted() { { pwd; cat requirements.txt $more pyproject.toml; } | cksum; }

pip() { "$py" -m pip --disable-pip-version-check "$@"; }
# Compiling all packages takes longer than Python's compiling those it meets, unless that is forbidden.
compile=${PYTHONDONTWRITEBYTECODE:+1}
uv() { VIRTUAL_ENV="$PWD/.venv" UV_PYTHON_DOWNLOADS=never \
    UV_COMPILE_BYTECODE=${compile:-0} "$py" -m uv pip "$@"; }
# A new .venv has no pip: Python needs longer to put its own there than uv for all the rest. The pip of
# the Python that it was made with fetches uv and pip; where that has none, Python's own is put there after all.
get_pip() { "$py" -c 'import pip' 2>/dev/null || "$py" -m ensurepip >/dev/null; }
get_uv() {
    grep -q "^uv==$("$py" -m uv --version 2>/dev/null | cut -d ' ' -f 2) " "$installer" && return
    base=${base:-$(find_python)}
    if "$base" -c 'import pip' 2>/dev/null; then set -- "$base" -m pip --python "$py"; else get_pip; set -- pip; fi
    "$@" install --disable-pip-version-check --quiet --require-hashes --only-binary :all: -r "$installer"
}
install_with() {
    "$1" install --require-hashes -r requirements.txt ${more:+-r "$more"} &&
        echo "==> Installing linlearn from this folder" &&
        "$1" install --quiet --no-build-isolation --no-deps --editable . &&
        "$1" check
}

# Where PYTHON is given, .venv must be of the same version; otherwise the Python that it has is kept.
version='import sys; print(sys.version)'
same_python() { [ -z "${PYTHON:-}" ] || [ "$("$py" -c "$version")" = "$("$base" -c "$version")" ]; }
if [ -n "${PYTHON:-}" ]; then base=$(find_python); fi

stamp=.venv/installed-${1:-book}
if [ -x "$py" ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(wanted)" ] && "$py" -c '' 2>/dev/null && same_python; then
    exit 0
fi

if [ -x "$py" ] && ! { "$py" -c "$recent" 2>/dev/null && same_python; }; then
    echo "==> The Python of .venv is too old, gone, or not the one asked for; making .venv anew"
    rm -rf .venv
fi
if [ ! -x "$py" ]; then
    base=$(find_python)
    echo "==> Creating .venv with $base ($("$base" --version))"
    if ! "$base" -m venv --clear --without-pip .venv; then
        echo "Python's venv module is incomplete. On Debian and Ubuntu: apt-get install python3-venv" >&2
        exit 1
    fi
fi
echo "==> Installing the pinned packages of requirements.txt${more:+ and $more}"
if ! { get_uv && install_with uv; }; then
    echo "==> uv could not do it, and says why above; trying pip, which takes longer" >&2
    if ! get_pip; then
        echo "Python's venv module is incomplete. On Debian and Ubuntu: apt-get install python3-venv" >&2
        exit 1
    fi
    if ! install_with pip; then
        echo "The packages could not be installed; pip says why above." >&2
        exit 1
    fi
fi
wanted > "$stamp"
