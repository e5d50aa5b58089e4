"""The emulated machine while it runs: QEMU, the four links to it, and its end.

Links 1 and 2 carry the command's standard output and error, 3 its exit status, 4 an archive of /out. The console is a
device of its own, so that what the kernel says stays apart; its end is shown when the guest fails."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

import host
import scenario as scenarios
from architecture import ARCHITECTURES
from faults import Deadline, Died

# One host thread for all CPUs: see docs/development/guests.md.
ACCELERATOR = "tcg,thread=single"
# The clock counts instructions, one per nanosecond, and skips idle time.
COUNTED = "shift=0,sleep=off"
KERNEL_ARGUMENTS = "panic=-1 oops=panic nokaslr mitigations=off cryptomgr.notests"
CONSOLE_LINES = 25


def qemu(scenario):
    return host.program(*ARCHITECTURES[scenario.architecture].qemu)


def run(scenario, linux, initramfs, out, deadline, counted=False):
    """Runs the guest to its end and returns the command's exit status. Raises Deadline or Died."""
    with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as ends:
        work = pathlib.Path(work)
        (work / "initramfs").write_bytes(initramfs)
        links = [ends.enter_context(_forwarded(stream)) for stream in (sys.stdout.buffer, sys.stderr.buffer)]
        process = ends.enter_context(_running(_command(scenario, linux, work, links, counted), links, work))
        try:
            process.wait(deadline)
        except subprocess.TimeoutExpired:
            raise Deadline(
                f"scenario {scenario.name}: not done after {deadline:g} s (--deadline); {_console(work)}"
            ) from None
        return _result(scenario, work, out)


def _command(scenario, linux, work, links, counted):
    # Ends with this process, even if that is killed.
    command = [host.program("setpriv", "util-linux"), "--pdeathsig", "KILL", qemu(scenario), "-accel", ACCELERATOR]
    command += ["-icount", COUNTED] if counted else []
    command += scenarios.qemu_arguments(scenario, work / "nvdimm")
    console = ARCHITECTURES[scenario.architecture].console
    command += ["-kernel", linux.image, "-initrd", work / "initramfs"]
    command += ["-append", f"console={console} {KERNEL_ARGUMENTS}"]
    command += ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-serial", f"file:{work}/console"]
    command += ["-device", "virtio-serial-pci"]
    for number, path in enumerate([link.path for link in links] + [work / "status", work / "out.tar"], 1):
        command += ["-chardev", f"file,id=link{number},path={path}"]
        command += ["-device", f"virtserialport,nr={number},chardev=link{number},name=link{number}"]
    return command


class _Link:
    """A pipe from QEMU whose data is copied to one of our streams."""

    def __init__(self, stream):
        self.stream = stream
        self.read, self.write = os.pipe()
        self.path = f"/dev/fd/{self.write}"
        self.thread = threading.Thread(target=self._copy, daemon=True)
        self.thread.start()

    def _copy(self):
        heard = True
        while block := os.read(self.read, 65536):
            try:
                if heard:
                    self.stream.write(block)
                    self.stream.flush()
            except OSError:
                heard = False  # our reader is gone, but the guest should still run to its end

    def leave(self):
        """Closes our copy of QEMU's end, so that the link ends with QEMU."""
        if self.write is not None:
            os.close(self.write)
            self.write = None


@contextlib.contextmanager
def _forwarded(stream):
    """A link to one of our streams. All data has been copied when the block ends; QEMU must have ended by then."""
    link = _Link(stream)
    try:
        yield link
    finally:
        link.leave()
        link.thread.join()


@contextlib.contextmanager
def _running(command, links, work):
    """QEMU, which never outlives this block."""
    ends = [link.write for link in links]
    with open(work / "qemu", "wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=ends)
    try:
        for link in links:
            link.leave()
        yield process
    finally:
        process.kill()
        process.wait()


def _result(scenario, work, out):
    status = (work / "status").read_text().split() if (work / "status").exists() else []
    if not status:
        raise Died(f"scenario {scenario.name}: the guest ended before its command; {_console(work)}")
    if status[0] == "setup":
        raise Died(f"scenario {scenario.name}: its setup failed; {_console(work)}")
    if out:
        out.mkdir(parents=True, exist_ok=True)
        command = ["tar", "-x", "--no-same-owner", "-f", work / "out.tar", "-C", out]
        if subprocess.run(command, stderr=subprocess.DEVNULL).returncode != 0:
            raise Died(f"scenario {scenario.name}: the files of /out did not come back whole; {_console(work)}")
    return int(status[0])


def _console(work):
    """The end of the console output, or the start of a panic."""
    said = ""
    for name in ("qemu", "console"):
        if (work / name).exists():
            said += (work / name).read_text(errors="replace")
    lines = [line.rstrip() for line in said.splitlines() if line.strip()]
    panic = next((number for number, line in enumerate(lines) if "Kernel panic" in line), len(lines))
    first = max(0, min(panic, len(lines) - CONSOLE_LINES))
    shown = lines[first : first + CONSOLE_LINES] or ["(nothing)"]
    return "on its console:\n" + "\n".join(f"  {line}" for line in shown)
