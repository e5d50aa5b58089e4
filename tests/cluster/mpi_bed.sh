#!/usr/bin/env bash
# mpi_bed.sh FOLDER COMMAND...: runs the command beside two nodes, m1 and m2, which are network namespaces with host
# names of their own, 10.98.0.1 and 10.98.0.2. FOLDER/agent is the remote shell of MPI launchers; FOLDER/hosts names
# the nodes. All of it ends with the command. Exit status 77: something is missing.
set -u
bed=$(realpath -m "$1")
shift
missing() {
  echo "skipped: $1"
  exit 77
}
command -v ip >/dev/null || missing "ip is not installed (package iproute2)"
if [ "${GABLE_IN_BED:-}" != "$bed" ]; then
  [ "$(id -u)" = 0 ] || missing "network namespaces need root"
  unshare --net --mount --uts --pid --fork true 2>/dev/null || missing "namespaces cannot be made here"
  GABLE_IN_BED=$bed exec unshare --net --mount --uts --pid --fork --kill-child --mount-proc bash "$0" "$bed" "$@"
fi
mkdir -p "$bed"
hostname bed
mount -t tmpfs tmpfs /run
ip link set lo up
ip link add b0 type bridge 2>/dev/null || missing "the kernel has no bridge"
ip address add 10.98.0.254/24 dev b0
ip link set b0 up
for i in 1 2; do
  ip netns add m$i
  ip link add v$i type veth peer name eth0 netns m$i
  ip link set v$i master b0 up
  ip -n m$i address add 10.98.0.$i/24 dev eth0
  ip -n m$i link set eth0 up
  ip -n m$i link set lo up
done
cat >"$bed/agent" <<'TEXT'
#!/bin/bash
# The remote shell: agent HOST COMMAND...
while [[ $1 == -* ]]; do shift; done
name=m${1##*.}
shift
exec ip netns exec "$name" unshare --uts bash -c "hostname $name; $*"
TEXT
chmod +x "$bed/agent"
export BED=$bed
"$@"
