"""The guest's kernel: Debian's package, unpacked in the build tree and never installed."""

import contextlib
import dataclasses
import fcntl
import pathlib
import subprocess
import tempfile

import host
from faults import Missing

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
                raise Missing(f"the kernel {self.release} lacks the module {module}")
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


def provide(cache, architecture):
    """The kernel in `cache`, downloaded at first use."""
    place = cache / "kernel"
    if not place.exists():
        with tempfile.TemporaryDirectory(dir=cache) as work:
            unpacked = pathlib.Path(work) / "root"
            architecture.fetch_kernel(unpacked)
            modules = _modules(unpacked)
            # Packages of releases with a merged /usr have no /lib, where depmod looks.
            if not (unpacked / "lib").exists():
                (unpacked / "lib").symlink_to("usr/lib")
            subprocess.run([host.busybox(), "depmod", "-b", unpacked, modules.name], check=True, capture_output=True)
            unpacked.rename(place)
    modules = _modules(place)
    return Kernel(place / f"boot/vmlinuz-{modules.name}", modules.name, modules)


def _modules(root):
    """The folder with the modules of the only kernel below `root`."""
    folders = [each for lib in ("lib/modules", "usr/lib/modules") if (root / lib).is_dir() for each in (root / lib).iterdir()]
    if not folders:
        raise Missing("the kernel's package has no modules")
    return folders[0]
