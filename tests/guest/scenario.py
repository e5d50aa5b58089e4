"""Scenarios: converts a file of scenarios/ to QEMU options. docs/development/guests.md lists the keys."""

import dataclasses
import pathlib
import tomllib

from architecture import ARCHITECTURES
from faults import Wrong

folder = pathlib.Path(__file__).resolve().parent / "scenarios"

# The firmware's distances. A node without CPUs belongs to the node that it is `near` to.
SELF, BESIDE, CPU_NODES, FAR = 10, 17, 21, 28
# The share of a node's bandwidth for CPUs of other nodes, and the factor of its latency.
FAR_BANDWIDTH, FAR_LATENCY = 0.5, 2

KEYS = {"about", "architecture", "smp", "cpu", "nodes", "nvdimm", "modules", "programs", "setup"}
NODE_KEYS = {"cpus", "mib", "near", "gib_per_s", "ns"}


@dataclasses.dataclass
class Scenario:
    name: str
    about: str
    architecture: str  # a name in architecture.py
    smp: str  # "sockets=4,cores=2"
    cpu: str  # QEMU's CPU model with its flags
    nodes: list  # of dicts with NODE_KEYS
    nvdimm: dict  # mib, near; empty: none
    modules: list  # kernel modules to load
    programs: dict  # of this host to take along: name to Debian package
    setup: str  # shell commands that run in the guest before the command

    def cpus(self):
        count = 1
        for part in self.smp.split(","):
            count *= int(part.partition("=")[2])
        return count

    def has_speeds(self):
        return any("gib_per_s" in node for node in self.nodes)


def names():
    return sorted(path.stem for path in folder.glob("*.toml"))


def listed():
    return [(name, load(name).about) for name in names()]


def all_modules(architecture):
    of_architecture = (each for each in map(load, names()) if each.architecture == architecture)
    return sorted({module for each in of_architecture for module in each.modules})


def load(name):
    if name not in names():
        raise Wrong(f"no scenario '{name}'; there are: {', '.join(names())}")
    path = folder / f"{name}.toml"
    try:
        content = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as fault:
        raise Wrong(f"{path}: {fault}") from fault
    unknown = set(content) - KEYS
    lacking = {"about", "smp", "nodes"} - set(content)
    for node in content.get("nodes", []):
        unknown |= set(node) - NODE_KEYS
        lacking |= {"mib"} - set(node)
        if ("cpus" in node) == ("near" in node):
            lacking.add("one of cpus and near")
    if unknown or lacking:
        raise Wrong(f"{path}: unknown: {', '.join(unknown) or 'nothing'}; missing: {', '.join(lacking) or 'nothing'}")
    defaults = {"architecture": "x86-64", "cpu": "max", "nvdimm": {}, "modules": [], "programs": {}, "setup": ""}
    return Scenario(name=name, **(defaults | content))


def home(scenario, index):
    """The node whose CPUs node `index` is nearest to: itself if it has CPUs."""
    if index == len(scenario.nodes):
        return scenario.nvdimm["near"]
    return scenario.nodes[index].get("near", index)


def distance(scenario, source, target):
    if source == target:
        return SELF
    cpuless = [index for index in (source, target) if home(scenario, index) != index]
    if not cpuless:
        return CPU_NODES
    return BESIDE if home(scenario, source) == home(scenario, target) and len(cpuless) == 1 else FAR


def speeds(scenario, initiator, target):
    """The two HMAT entries of a pair. Bandwidths must be whole MiB/s, latencies whole ns."""
    node = scenario.nodes[target]
    local = home(scenario, target) == initiator
    mib_per_s = int(node["gib_per_s"] * 1024 * (1 if local else FAR_BANDWIDTH))
    ns = node["ns"] * (1 if local else FAR_LATENCY)
    pair = f"hmat-lb,initiator={initiator},target={target},hierarchy=memory"
    latency = f"{pair},data-type=access-latency,latency={ns}"
    return ["-numa", latency, "-numa", f"{pair},data-type=access-bandwidth,bandwidth={mib_per_s}M"]


def qemu_arguments(scenario, nvdimm_file):
    hmat = scenario.has_speeds()
    mib = sum(node["mib"] for node in scenario.nodes)
    memory = f"{mib}M"
    features = ",hmat=on" if hmat else ""
    if scenario.nvdimm:
        features += ",nvdimm=on"
        memory += f",slots=1,maxmem={mib + scenario.nvdimm['mib']}M"
    given = ["-machine", ARCHITECTURES[scenario.architecture].machine + features, "-m", memory]
    given += ["-cpu", scenario.cpu, "-smp", f"{scenario.cpus()},{scenario.smp}"]
    for index, node in enumerate(scenario.nodes):
        cpus = f",cpus={node['cpus']}" if "cpus" in node else ""
        initiator = f",initiator={home(scenario, index)}" if hmat else ""
        given += ["-object", f"memory-backend-ram,id=m{index},size={node['mib']}M"]
        given += ["-numa", f"node,nodeid={index},memdev=m{index}{cpus}{initiator}"]
    count = len(scenario.nodes)
    if scenario.nvdimm:
        initiator = f",initiator={scenario.nvdimm['near']}" if hmat else ""
        given += ["-numa", f"node,nodeid={count}{initiator}"]
        size = f"{scenario.nvdimm['mib']}M"
        given += ["-object", f"memory-backend-file,id=nv,share=on,mem-path={nvdimm_file},size={size}"]
        given += ["-device", f"nvdimm,memdev=nv,node={count}"]
        count += 1
    for source in range(count if count > 1 else 0):
        for target in range(count):
            given += ["-numa", f"dist,src={source},dst={target},val={distance(scenario, source, target)}"]
    if hmat:
        for initiator in (index for index, node in enumerate(scenario.nodes) if "cpus" in node):
            for target in range(len(scenario.nodes)):
                given += speeds(scenario, initiator, target)
    return given
