"""A forked kernel is what a started one is, as far as a notebook can see."""

import json
import os
import sys
import time
from contextlib import contextmanager

import kernels
import pytest
from jupyter_client.launcher import launch_kernel
from jupyter_client.manager import start_new_kernel
from jupyter_client.provisioning import local_provisioner

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux only")
SEEN = """
import json, os, sys, matplotlib
env = {name: value for name, value in os.environ.items()
       if name not in ("JPY_PARENT_PID", "PYTEST_CURRENT_TEST")}
print(json.dumps([os.getcwd(), sys.path, sys.argv[0], env, matplotlib.rcParams["backend"],
                  os.getpgid(0) == os.getpid(), vars(sys.modules["__main__"]) is globals(),
                  sorted(globals())]))
"""


@contextmanager
def kernel(launch, cwd):
    """A way to have code run in a new kernel, and its process; `launch` starts it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_provisioner, "launch_kernel", launch)
        manager, client = start_new_kernel(kernel_name="python3", cwd=str(cwd))

    def told(code):
        said = []
        hook = lambda message: said.append(message["content"].get("text", ""))  # noqa: E731
        client.execute_interactive(code, output_hook=hook, store_history=False)
        return "".join(said)

    try:
        yield told, manager
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def nursery():
    nursery = kernels.Nursery(launch_kernel, wanted=["ipykernel.kernelapp", "linlearn"])
    yield nursery
    nursery.process.stdin.close()
    assert nursery.process.wait(timeout=10) == 0  # it ends with who started it


def test_a_fork_sees_what_a_start_sees(nursery, tmp_path):
    """Folder, path of imports, environment, backend, an empty namespace, its own group of processes."""
    with kernel(nursery, tmp_path) as (forked, _), kernel(launch_kernel, tmp_path) as (started, _):
        assert json.loads(forked(SEEN)) == json.loads(started(SEEN))
        assert forked("print(os.getppid())") == f"{nursery.process.pid}\n"


def test_forks_share_nothing_and_end(nursery, tmp_path):
    with kernel(nursery, tmp_path) as (first, _), kernel(nursery, tmp_path) as (second, manager):
        assert first("import math; math.pi = 3; print(math.pi)") == "3\n"
        assert second("import math; print(math.pi == 3, 'first' in globals())") == "False False\n"
        os.kill(manager.provisioner.pid, 9)
        limit = time.monotonic() + 10
        while manager.is_alive() and time.monotonic() < limit:
            time.sleep(0.01)
        assert not manager.is_alive() and first("print(math.pi)") == "3\n"


def test_another_environment_or_program_starts_from_nothing(nursery, monkeypatch):
    """What is read at an import, as the number of threads, is what the caller asks for."""
    monkeypatch.setattr(nursery, "otherwise", lambda command, **rest: "started")
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "none.json"]
    assert nursery(["ir", "-f", "none.json"]) == nursery(command, env={"HOME": "/"}) == "started"
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    assert nursery(command) == "started"
