"""The guest's kernel: Debian's package, unpacked in the build tree and never installed."""

import contextlib
import dataclasses
import fcntl
import pathlib
import re
import subprocess
import tempfile

import host
from faults import Missing

# The smallest of Debian's kernels with all features for the scenarios. It depends on the package of the current version.
PACKAGE = "linux-image-cloud-amd64"


@dataclasses.dataclass
class Kernel:
    image: pathlib.Path
    release: str
    modules: pathlib.Path  # the folder with modules.dep

    def closure(self, wanted):
        """The files of these modules and of all that they need, relative to `modules`; built-in ones need none."""
        needs = {}
        for line in (self.modules / "modules.dep").read_text().splitlines():
            path, _, others = line.partition(":")
            needs[path] = others.split()
        paths = {_name(path): path for path in needs}
        builtin = {_name(path) for path in (self.modules / "modules.builtin").read_text().split()}
        found = set()
        for module in wanted:
            if module in builtin:
                continue
            if module not in paths:
                raise Missing(f"the kernel {self.release} lacks the module {module} (package {PACKAGE} has it)")
            found |= {paths[module], *needs[paths[module]]}
        return sorted(found)


def _name(path):
    return pathlib.PurePath(path).name.split(".ko")[0].replace("-", "_")


@contextlib.contextmanager
def locked(cache):
    """A lock for guests that start simultaneously and prepare shared files."""
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def provide(cache):
    """The kernel in `cache`, downloaded at first use."""
    place = cache / "kernel"
    if not place.exists():
        with tempfile.TemporaryDirectory(dir=cache) as work:
            unpacked = pathlib.Path(work) / "root"
            command = [host.program("dpkg-deb", "dpkg"), "-x", _fetch(pathlib.Path(work)), unpacked]
            subprocess.run(command, check=True, capture_output=True)
            release = next((unpacked / "lib/modules").iterdir()).name
            subprocess.run([host.busybox(), "depmod", "-b", unpacked, release], check=True, capture_output=True)
            unpacked.rename(place)
    release = next((place / "lib/modules").iterdir()).name
    return Kernel(place / f"boot/vmlinuz-{release}", release, place / "lib/modules" / release)


def _fetch(folder):
    apt_cache, apt_get = host.program("apt-cache", "apt"), host.program("apt-get", "apt")
    depends = subprocess.run([apt_cache, "depends", PACKAGE], capture_output=True, text=True).stdout
    package = re.search(r"Depends: (linux-image-\S+)", depends)
    # Without privileges apt cannot drop them, and does not need to.
    command = [apt_get, "-o", "APT::Sandbox::User=root", "download", package[1] if package else PACKAGE]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    found = list(folder.glob("*.deb"))
    if result.returncode != 0 or not found:
        reason = (result.stderr.strip().splitlines() or ["no output"])[-1]
        raise Missing(f"the guest's kernel cannot be fetched: {reason}; try apt-get update (package {PACKAGE})")
    return found[0]
