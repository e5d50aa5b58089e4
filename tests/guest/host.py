"""Programs of this host."""

import os
import shutil

from faults import Missing


def program(name, package):
    """Its path; raises Missing with the name of its Debian package."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if not found:
        raise Missing(f"{name} is missing (package {package})")
    return found


def busybox():
    return program("busybox", "busybox-static")
