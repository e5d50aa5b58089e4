#!/usr/bin/env bash
# slurm_bed.sh FOLDER COMMAND...: runs the command beside a Slurm of four nodes (n1 to n4) on this host.
# All of it has its own network, process numbers and host name, and ends with the command. Each node has its own
# FOLDER/local; FOLDER/small_disk names the node on which that holds 24 KiB only. Exit status 77: something is missing.
set -u
bed=$(realpath -m "$1")
shift
missing() {
  echo "skipped: $1"
  exit 77
}
for program in slurmctld slurmd srun munged mungekey unshare ip; do
  PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null || missing "$program is not installed (packages slurm-wlm, munge, iproute2)"
done
if [ "${GABLE_IN_BED:-}" != "$bed" ]; then
  [ "$(id -u)" = 0 ] || missing "several slurmd on one host need root"
  unshare --net --mount --uts --pid --fork true 2>/dev/null || missing "namespaces cannot be made here"
  GABLE_IN_BED=$bed exec unshare --net --mount --uts --pid --fork --kill-child --mount-proc bash "$0" "$bed" "$@"
fi

export PATH=$PATH:/usr/sbin:/sbin SLURM_CONF=$bed/slurm.conf BED=$bed
hostname bed
ip link set lo up
ip address add 10.99.0.1/32 dev lo  # names of interfaces without other addresses do not resolve
mkdir -p "$bed/state" "$bed/log" "$bed/local"
mungekey --create --keyfile "$bed/munge.key" 2>/dev/null
munged --force --key-file="$bed/munge.key" --socket="$bed/munge.socket" --pid-file="$bed/munge.pid" \
  --log-file="$bed/log/munge" --seed-file="$bed/munge.seed" 2>"$bed/log/munged" || missing "munged does not start: $(cat "$bed/log/munged")"
cat >"$bed/slurm.conf" <<TEXT
ClusterName=bed
SlurmctldHost=bed(10.99.0.1)
AuthType=auth/munge
AuthInfo=socket=$bed/munge.socket
SlurmUser=root
StateSaveLocation=$bed/state
SlurmctldPidFile=$bed/ctld.pid
SlurmctldLogFile=$bed/log/ctld
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=5
SlurmdTimeout=10
NodeName=n[1-4] NodeHostname=bed NodeAddr=10.99.0.1 Port=[17001-17004] CPUs=4 RealMemory=512 State=UNKNOWN
PartitionName=p Nodes=ALL Default=YES MaxTime=10 State=UP OverSubscribe=FORCE:4
SlurmctldPort=16817
SlurmdPidFile=$bed/d-%n.pid
SlurmdSpoolDir=$bed/spool-%n
SlurmdLogFile=$bed/log/d-%n
TEXT
: >"$bed/cgroup.conf"
small=$(cat "$bed/small_disk" 2>/dev/null)
slurmctld -c 2>"$bed/log/ctld.err"
for node in n1 n2 n3 n4; do
  mkdir -p "$bed/spool-$node"
  size=64m
  [ "$node" = "$small" ] && size=24k
  unshare --mount bash -c "mount -t tmpfs -o size=$size tmpfs $bed/local && exec slurmd -N $node" 2>"$bed/log/d-$node.err"
done
for ((i = 0; i < 100; ++i)); do
  [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 4 ] && break
  sleep 0.2
done
[ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 4 ] || { tail -n 5 "$bed"/log/*; missing "slurmd does not start here"; }
"$@"
