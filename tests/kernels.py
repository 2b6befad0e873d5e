"""One start for all notebooks: what they import is imported once. A pytest plugin, `-p kernels`.

To start a kernel and import the package and scikit-learn, which brings the real tables, takes five seconds
of a processor. Here each worker of pytest starts one process that does it, and a notebook's kernel is a fork
of that process: with its own folder and memory, and no cell has run in it. Nothing else is imported ahead,
and no page takes scikit-learn or SciPy as a whole, so that an import that is missing in a notebook is
noticed. What asks for another environment starts from nothing, as a reader's kernel does; so does all that
is not on Linux.
"""

import atexit
import json
import os
import runpy
import signal
import subprocess
import sys
from contextlib import suppress
from importlib import import_module

# The kernel, what the first cell of every lesson imports, which brings NumPy and Matplotlib, and what four
# pages in five import with their first real table.
WANTED = "ipykernel.ipkernel", "ipykernel.kernelapp", "linlearn.plot", "sklearn.datasets"
# What a kernel sets before Matplotlib is imported, which reads it once.
BACKEND = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
OF_ONE_RUN = {"PYTEST_CURRENT_TEST", "JPY_PARENT_PID"}


def pytest_configure(config) -> None:
    if sys.platform == "linux" and config.pluginmanager.hasplugin("nbval"):
        from jupyter_client.provisioning import local_provisioner

        local_provisioner.launch_kernel = Nursery(local_provisioner.launch_kernel)


class Nursery:
    """In the place of `jupyter_client.launcher.launch_kernel`: forks a kernel, and returns it."""

    def __init__(self, otherwise, wanted=WANTED):
        self.otherwise, self.wanted, self.process, self.env = otherwise, wanted, None, None

    def __call__(self, cmd, cwd=None, env=None, **rest):
        lasting = same_for_all(os.environ if env is None else env)
        python = cmd[:3] == [sys.executable, "-m", "ipykernel_launcher"]
        if not python or lasting != (self.env or lasting):
            return self.otherwise(cmd, cwd=cwd, env=env, **rest)
        if self.process is None:
            self.start(lasting)
        self.process.stdin.write(json.dumps({"argv": cmd[2:], "cwd": cwd or os.getcwd()}) + "\n")
        self.process.stdin.flush()
        number = self.process.stdout.readline()
        if not number:
            raise RuntimeError("The process that kernels are forks of has ended: see above why.")
        return Kernel(int(number))

    def start(self, env):
        self.env = env
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        command = [sys.executable, __file__, *self.wanted]
        self.process = subprocess.Popen(command, env={**BACKEND, **env}, **pipes)
        atexit.register(self.process.stdin.close)


def same_for_all(env) -> dict[str, str]:
    return {name: value for name, value in env.items() if name not in OF_ONE_RUN}


class Kernel:
    """A forked kernel, as far as `jupyter_client` uses a `subprocess.Popen`."""

    stdin = stdout = stderr = None

    def __init__(self, pid):
        self.pid = pid

    def poll(self):
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0

    def send_signal(self, number):
        with suppress(ProcessLookupError):  # it has ended
            os.kill(self.pid, number)

    def wait(self):
        """Called only once `poll` says that it has ended; its parent does not keep how."""
        return 0


def serve(wanted) -> None:
    """In the process that is forked: for each line read, a kernel, whose number is written."""
    env = dict(os.environ)
    for module in wanted:
        import_module(module)  # some set variables of the environment

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # who ends is gone: no one waits for it here
    while line := sys.stdin.readline():
        pid = os.fork()
        if not pid:
            become(env, **json.loads(line))
        # Here too, before its number is told: a signal to its group reaches no other.
        os.setpgid(pid, pid)
        print(pid, flush=True)


def become(env, argv, cwd):
    """What `python -m ipykernel_launcher …` does in this folder, and nothing else; does not return."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.setpgid(0, 0)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env, JPY_PARENT_PID=str(os.getppid()))
    sys.argv, sys.path[0] = argv, cwd
    runpy.run_module("ipykernel_launcher", run_name="__main__", alter_sys=True)
    os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1:])
