"""What differs between guests of two architectures: QEMU's machine, the kernel, and where programs and libraries come
from. A guest of another architecture than this host's needs a build for it (./run.sh cross), and gets everything else from
packages that packaging/cross/sysroot.sh unpacks into the build folder."""

import dataclasses
import pathlib
import re
import subprocess

import host
from faults import Missing, Wrong

sysroot_script = pathlib.Path(__file__).resolve().parents[2] / "packaging/cross/sysroot.sh"


class Native:
    """Guests of this host's architecture have its programs and libraries."""

    build = "build"
    qemu = ("qemu-system-x86_64", "qemu-system-x86")
    machine = "q35"
    console = "ttyS0"
    kernel_package = "linux-image-cloud-amd64"  # the smallest of Debian's with all features for the scenarios

    def __init__(self, build=None):
        del build

    def busybox(self):
        return host.busybox()

    def libraries(self, program):
        """The libraries of a program, its loader included, as (path here, path in the guest)."""
        listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
        absent = re.findall(r"(\S+) => not found", listed)
        if absent:
            raise Wrong(f"{program} needs libraries that this host lacks: {', '.join(absent)}")
        return [(path, path) for path in re.findall(r"(/\S+) \(0x", listed)]

    def fetch_kernel(self, folder):
        """Unpacks the kernel's package into `folder`."""
        apt_cache, apt_get = host.program("apt-cache", "apt"), host.program("apt-get", "apt")
        depends = subprocess.run([apt_cache, "depends", self.kernel_package], capture_output=True, text=True).stdout
        package = re.search(r"Depends: (linux-image-\S+)", depends)
        # Without privileges apt cannot drop them, and does not need to.
        command = [apt_get, "-o", "APT::Sandbox::User=root", "download", package[1] if package else self.kernel_package]
        result = subprocess.run(command, cwd=folder.parent, capture_output=True, text=True)
        found = list(folder.parent.glob("*.deb"))
        if result.returncode != 0 or not found:
            reason = (result.stderr.strip().splitlines() or ["no output"])[-1]
            hint = f"try apt-get update (package {self.kernel_package})"
            raise Missing(f"the guest's kernel cannot be fetched: {reason}; {hint}")
        command = [host.program("dpkg-deb", "dpkg"), "-x", found[0], folder]
        subprocess.run(command, check=True, capture_output=True)


@dataclasses.dataclass
class Aarch64:
    build_folder: pathlib.Path

    build = "build-aarch64"
    qemu = ("qemu-system-aarch64", "qemu-system-arm")
    machine = "virt,gic-version=3"
    console = "ttyAMA0"
    kernel_package = "linux-image-cloud-arm64"

    def busybox(self):
        return self.build_folder / "guest/packages/root/bin/busybox"

    def libraries(self, program):
        script = sysroot_script.parent / "libraries.sh"
        result = subprocess.run([script, program, self.build_folder / "sysroot/root"], capture_output=True, text=True)
        if result.returncode != 0:
            raise Wrong(f"{program}: {result.stderr.strip()}")
        paths = [pathlib.Path(line.split()[0]) for line in result.stdout.splitlines()]
        return [(path, f"/lib/{path.name}") for path in paths]

    def fetch_kernel(self, folder):
        packages = self.build_folder / "guest/packages"
        result = subprocess.run([sysroot_script, "arm64", packages, "guest"], capture_output=True, text=True)
        if result.returncode != 0:
            raise Missing(f"the guest's kernel cannot be fetched: {(result.stdout.splitlines() or ['no output'])[-1]}")
        folder.mkdir()
        for part in ("boot", "lib"):
            (folder / part).symlink_to(packages / "root" / part)


ARCHITECTURES = {"x86-64": Native, "aarch64": Aarch64}
