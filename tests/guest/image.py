"""The guest's root file system: archives that the kernel unpacks."""

import hashlib
import pathlib
import shutil
import subprocess
import tempfile

import host

here = pathlib.Path(__file__).resolve().parent
# The runner's own link to the guest, see machine.py.
LINK_MODULES = ["virtio_pci", "virtio_console"]


def base(cache, linux, gable, modules, architecture):
    """The archive that all guests share: tools, modules, gable and its libraries. Rebuilt when one of them changes."""
    busybox = architecture.busybox()
    files = linux.closure(LINK_MODULES + modules)
    key = hashlib.sha256()
    loaded = [path for path, _ in libraries(gable, architecture)]
    for path in (here / "init", here / "nvdimm", busybox, gable, linux.modules / "modules.dep", *loaded):
        key.update(pathlib.Path(path).read_bytes())
    key.update("\n".join(files).encode())
    target = cache / f"base-{key.hexdigest()[:16]}.cpio"
    if target.exists():
        return target
    with tempfile.TemporaryDirectory(dir=cache) as work:
        root = pathlib.Path(work)
        add(root, busybox, "/bin/busybox", architecture)
        add(root, here / "init", "/init", architecture)
        add(root, here / "nvdimm", "/bin/nvdimm", architecture)
        add(root, gable, "/bin/gable", architecture)
        place = f"/lib/modules/{linux.release}"
        for name in [*files, "modules.dep", "modules.builtin"]:
            add(root, linux.modules / name, f"{place}/{name}", architecture)
        for stale in cache.glob("base-*.cpio"):
            stale.unlink()
        whole = target.with_suffix(".part")
        whole.write_bytes(pack(root))
        whole.rename(target)
    return target


def overlay(job, files, architecture):
    """The archive of one run: its texts (name to content) in /job, and the requested files."""
    with tempfile.TemporaryDirectory() as work:
        root = pathlib.Path(work)
        for name, content in job.items():
            path = root / "job" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(content)
        for source, guest in files:
            add(root, source, guest, architecture)
        return pack(root)


def add(root, source, guest, architecture):
    """Copies a file or a folder to `guest` below `root`; programs with the libraries they need."""
    target = root / guest.lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    if pathlib.Path(source).is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
        return
    shutil.copy(source, target)
    for library, guest_path in libraries(source, architecture):
        place = root / guest_path.lstrip("/")
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, place)


def libraries(program, architecture):
    """The shared libraries of a program, see architecture.py; none for anything else."""
    with open(program, "rb") as file:
        if file.read(4) != b"\x7fELF" or str(program).endswith(".ko"):
            return []
    return architecture.libraries(program)


def pack(root):
    names = "\n".join(str(path.relative_to(root)) for path in sorted(root.rglob("*")))
    command = [host.busybox(), "cpio", "-o", "-H", "newc", "-R", "0:0"]
    return subprocess.run(command, cwd=root, input=names.encode(), check=True, capture_output=True).stdout
