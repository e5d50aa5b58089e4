#!/bin/bash
# Generates the topologies of this folder with hwloc's tools, from synthetic descriptions and annotations. Run it in this
# folder after a change, then regenerate the expected files (tests/machines/golden.cpp).
set -euo pipefail
cd "$(dirname "$0")"

gib=$((1 << 30)) mib=$((1 << 20))
core="l2:1(size=$mib) l1d:1(size=32768) core:1"

make() { rm -f "$1.xml"; lstopo-no-graphics -i "$2" --of xml -f "$1.xml" "${@:3}"; }
note() { hwloc-annotate "$1.xml" "$1.xml" -- "$2" -- "${@:3}"; }

# The distances of all nodes, each row one argument.
distances() {
  local nodes=$(($# - 1)) file
  file=$(mktemp)
  { printf 'name=NUMALatency\n6\n%s\n' "$nodes"  # 6: given by the user, a latency
    for ((i = 0; i < nodes; ++i)); do echo "NUMANode:$i"; done
    printf '%s\n' ${*:2}; } > "$file"
  hwloc-annotate "$1.xml" "$1.xml" -- root -- distances "$file"
  rm "$file"
}

make single-core "numa:1(memory=$gib) l3:1(size=$((16 * mib))) $core pu:1"
make smt2 "numa:1(memory=$((8 * gib))) l3:1(size=$((16 * mib))) l2:4(size=524288) l1d:1(size=32768) core:1 pu:2"
make no-l3 "numa:1(memory=$((8 * gib))) l2:2(size=$((2 * mib))) l1d:2(size=32768) core:1 pu:1"
make no-caches-no-cores "numa:1(memory=$gib) pu:4"

make snc2-2s "pack:2 group:2 [numa(memory=$((32 * gib)))] l3:1(size=$((36 * mib))) l2:2(size=$((2 * mib))) l1d:1(size=49152) core:1 pu:2"
distances snc2-2s '10 12 21 21' '12 10 21 21' '21 21 10 12' '21 21 12 10'

make 8-nodes "pack:8 [numa(memory=$((64 * gib)))] l3:1(size=$((32 * mib))) l2:2(size=$mib) l1d:1(size=32768) core:1 pu:1"

# Each socket with DRAM, HBM and persistent memory, and one CXL expander for both.
make four-tiers "[numa(memory=$((128 * gib)))] pack:2 [numa(memory=$((64 * gib)))] [numa(memory=$((16 * gib)))] [numa(memory=$((256 * gib)))] l3:1(size=$((32 * mib))) l2:2(size=$mib) l1d:1(size=32768) core:1 pu:1"
for node in 0 3; do note four-tiers numa:$node subtype DRAM; done
for node in 1 4; do note four-tiers numa:$node subtype HBM; done
for node in 2 5; do note four-tiers numa:$node info DAXType NVM; done
note four-tiers numa:6 subtype CXL-DRAM

# CPU-less nodes that differ only in their figures: slower than the neighbouring DRAM, faster, and without figures.
make cpuless "pack:2 [numa(memory=$((32 * gib)))] [numa(memory=$((64 * gib)))] [numa(memory=$((8 * gib)))] [numa(memory=$((4 * gib)))] l3:1(size=$((16 * mib))) $core pu:1"
for socket in 0 1; do
  note cpuless numa:$((4 * socket)) memattr Bandwidth pack:$socket 200000
  note cpuless numa:$((4 * socket)) memattr Latency pack:$socket 90
  note cpuless numa:$((4 * socket + 1)) memattr Bandwidth pack:$socket 60000
  note cpuless numa:$((4 * socket + 1)) memattr Latency pack:$socket 250
  note cpuless numa:$((4 * socket + 2)) memattr Bandwidth pack:$socket 600000
done

# An accelerator's memory that the CPUs may use.
make gpu-memory "pack:1 [numa(memory=$((480 * gib)))] [numa(memory=$((96 * gib)))] l3:1(size=$((114 * mib))) l2:4(size=$mib) l1d:1(size=65536) core:1 pu:1"
note gpu-memory numa:1 subtype GPUMemory

# Only HBM, and memory that the firmware reserved.
make hbm-only "pack:2 [numa(memory=$((64 * gib)))] l3:1(size=$((16 * mib))) $core pu:1"
note hbm-only numa:all subtype HBM
make set-apart "pack:1 [numa(memory=$((64 * gib)))] [numa(memory=$((16 * gib)))] l3:1(size=$((16 * mib))) $core pu:1"
note set-apart numa:1 subtype SPM

# Memory that became nodes by DAX devices, as a file without subtypes: persistent memory, fast reserved memory, memory
# behind CXL as hwloc 2.9 and as 2.12 show it, persistent memory behind CXL.
make dax "pack:1 [numa(memory=$((64 * gib)))] [numa(memory=$((256 * gib)))] [numa(memory=$((16 * gib)))] [numa(memory=$((128 * gib)))] [numa(memory=$((96 * gib)))] [numa(memory=$((32 * gib)))] l3:1(size=$((16 * mib))) $core pu:1"
for node in 1 5; do note dax numa:$node info DAXType NVM; done
for node in 2 3 4; do note dax numa:$node info DAXType SPM; done
note dax numa:0 memattr Bandwidth pack:0 200000
note dax numa:2 memattr Bandwidth pack:0 600000
note dax numa:3 info DAXParent ACPI0017:00/root0/decoder0.0/region0/dax_region0
note dax numa:4 info CXLDevice 0000:1b:00.0
note dax numa:5 info DAXParent ACPI0017:00/root0/nvdimm-bridge0/ndbus0/region0/dax0.0
sed -i 's/ subtype="[^"]*"//' dax.xml

# Memory behind CXL that the firmware shows as ordinary memory: hwloc 2.12 names the DRAM HBM, and the other DRAM.
make guessed-tiers "pack:2 [numa(memory=$((32 * gib)))] [numa(memory=$((64 * gib)))] l3:1(size=$((16 * mib))) $core pu:1"
for socket in 0 1; do
  for node in 0 1; do note guessed-tiers numa:$((2 * socket + node)) info MemoryTier $node; done
  note guessed-tiers numa:$((2 * socket)) memattr Bandwidth pack:$socket 200000
  note guessed-tiers numa:$((2 * socket + 1)) memattr Bandwidth pack:$socket 60000
  note guessed-tiers numa:$((2 * socket)) subtype HBM
  note guessed-tiers numa:$((2 * socket + 1)) subtype DRAM
done

# A socket whose memory is missing, and one whose memory this process may not use.
make memoryless "pack:2 [numa(memory=$((32 * gib)))] l3:1(size=$((16 * mib))) $core pu:1"
note memoryless numa:1 size 0
make disallowed "pack:2 [numa(memory=$((32 * gib)))] l3:1(size=$((16 * mib))) l2:2(size=$mib) l1d:1(size=32768) core:1 pu:1"
sed -i 's/allowed_nodeset="0x00000003"/allowed_nodeset="0x00000001"/; s/allowed_cpuset="0x0000000f"/allowed_cpuset="0x0000000d"/' disallowed.xml

# Two cores with two threads and an L2 each, four small cores that share one.
make hybrid "numa:1(memory=$((32 * gib))) l3:1(size=$((12 * mib))) l2:3(size=$((2 * mib))) l1d:4(size=32768) core:1 pu:2" --restrict 0x550303
for cache in 0 1; do note hybrid l1d:$cache size 49152; note hybrid l2:$cache size $((1280 * 1024)); done

# A cache in front of each DRAM node, as an object of its own.
make memory-side-cache "pack:2 [numa(memory=$((96 * gib)))] l3:1(size=$((32 * mib))) l2:2(size=$mib) l1d:1(size=32768) core:1 pu:1"
awk -v bytes=$((16 * gib)) '
  /type="NUMANode"/ { match($0, /cpuset=.*complete_nodeset="[^"]*"/); inside = 1
    printf "      <object type=\"MemCache\" %s gp_index=\"%d\" cache_size=\"%s\" depth=\"1\" cache_linesize=\"64\" cache_associativity=\"1\" cache_type=\"0\">\n",
           substr($0, RSTART, RLENGTH), 1000 + NR, bytes }
  { print }
  inside && /<\/object>/ { print "      </object>"; inside = 0 }' memory-side-cache.xml > with-cache
mv with-cache memory-side-cache.xml
