#!/usr/bin/env python3
"""programs.py BUILD [--runs N] [--real]: programs of every kind under gable kmaf run, with every policy and sampler.

Each program must give the same output and exit status as alone, and the settings must be as before. They are files below
a temporary root; with --real, those of this machine. Programs that are not installed are named and left out.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# name: (what must be installed, shell commands); run in an empty folder each time.
PROGRAMS = {
    "sqlite3": ("sqlite3", "sqlite3 a.db 'create table t(a,b); with recursive n(i) as (select 1 union all select i+1 from n "
                "where i<20000) insert into t select i, i*7919%10007 from n; select sum(a*b), count(distinct b) from t; "
                "create index x on t(b); select a from t order by b, a limit 5'"),
    "python threads": ("python3", "python3 -c 'import threading as t; r=[0]*8\n"
                       "def w(i): r[i]=sum(range(20000))\n"
                       "s=[t.Thread(target=w,args=(i,)) for i in range(8)]\n"
                       "[x.start() for x in s]; [x.join() for x in s]; print(r)'"),
    "python processes": ("python3", "python3 -c 'import multiprocessing as m\n"
                         "print(m.get_context(\"fork\").Pool(4).map(abs, range(-50,50)))'"),
    "make -j": ("make", "printf 'all: a b c d\\na b c d:\\n\\tseq 1 2000 >$@; cksum <$@ >$@.sum\\n' >Makefile; make -s -j4; "
                "cat *.sum"),
    "gcc": ("gcc", "echo '#include <stdio.h>\nint main(void){puts(\"built\");return 0;}' >a.c; gcc -O2 a.c -o a; ./a"),
    "perl": ("perl", "perl -e '$s=0; $h{$_%997}+=$_ for 1..100000; $s+=$h{$_}*$_ for sort keys %h; print \"$s\\n\"'"),
    "tar, gzip": ("gzip", "mkdir d; for i in 1 2 3 4 5; do seq $((i*3000)) >d/$i; done; tar --sort=name --mtime=@0 --owner=0 --group=0 -cf - d | gzip -n | gunzip | cksum"),
    "xz": ("xz", "seq 50000 | xz -T2 | xz -dc | cksum"),
    "sort --parallel": ("sort", "seq 60000 | sort --parallel=4 -R --random-source=/bin/sh | sort -n --parallel=4 | cksum"),
    "git": ("git", "export HOME=$PWD GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z'; "
            "git init -q .; git config user.name a; git config user.email a@b; seq 500 >f; git add f; git commit -qm one; "
            "git gc -q; git rev-parse HEAD; git fsck"),
    "awk pipe": ("awk", "seq 30000 | awk '{s+=$1*$1} END {print s}' | tee copy; cat copy"),
    "java": ("java", "printf 'class A { public static void main(String[] a) throws Exception { long s = 0; var t = new "
             "Thread[4]; for (int i = 0; i < 4; i++) { t[i] = new Thread(() -> {}); t[i].start(); } for (var x : t) x.join(); "
             "for (int i = 0; i < 100000; i++) s += i; System.out.println(s); System.exit(5); } }' >A.java; java A.java"),
    "node": ("node", "node -e 'const w=require(\"worker_threads\");let n=0;for(let i=0;i<4;i++)new w.Worker("
             "\"require(\\\"worker_threads\\\").parentPort.postMessage(1)\",{eval:true}).on(\"message\",()=>{if(++n==4)"
             "console.log(\"four\")})'"),
    "MPI": ("mpirun", "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; mpirun --oversubscribe --bind-to none "
            "-n 4 sh -c 'seq 5000 | cksum'"),
    "initdb": ("initdb", "chown nobody . 2>/dev/null; setpriv --reuid=65534 --regid=65534 --clear-groups initdb -D db -A trust "
               "--no-sync >log 2>&1; echo $?; ls db | wc -l"),
    "openssl": ("openssl", "seq 20000 | openssl dgst -sha256; seq 20000 | openssl enc -aes-256-cbc -K 00 -iv 00 | cksum"),
    "exec": ("sh", "exec sh -c 'exec sh -c \"echo deep; exit 7\"'"),
    "forks": ("sh", "i=0; while [ $i -lt 200 ]; do (exit 3) & i=$((i+1)); done; wait; echo done"),
    "daemon": ("setsid", "setsid -f sh -c 'sleep 0.3; echo late >said'; echo started; while [ ! -s said ]; do sleep 0.05; done; "
               "cat said"),
    "crash": ("sh", "echo before; kill -SEGV $$"),
    "killed child": ("sh", "sh -c 'kill -KILL $$'; echo $?"),
    "closed pipe": ("yes", "yes | head -n 1000 | cksum; echo ${PIPESTATUS:-none}"),
    "no such program": ("sh", "./absent; echo $?"),
}
POLICIES = [["os"], ["compact"], ["random"], ["interleave"], ["autonuma"], ["kmaf"],
            ["kmaf", "--threads-only"], ["kmaf", "--data-only"], ["kmaf", "--unit", "2m"],
            ["kmaf", "--sampler", "hardware"], ["kmaf", "--learn", "learned"], ["oracle", "--knowing", "learned"]]
KNOBS = {"scan_delay_ms": 1000, "scan_period_min_ms": 1000, "scan_period_max_ms": 60000, "scan_size_mb": 256}


def make_root(root):
    balancing = root / "proc/sys/kernel/numa_balancing"
    knobs = root / "sys/kernel/debug/sched/numa_balancing"
    for path in (root / "run", balancing.parent, knobs):
        path.mkdir(parents=True)
    balancing.write_text("0\n")
    for name, value in KNOBS.items():
        (knobs / name).write_text(f"{value}\n")
    return [balancing, *(knobs / name for name in KNOBS)]


def run(words, folder, environment):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    folder.chmod(0o755)
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=300)
    return done.returncode if done.returncode >= 0 else 128 - done.returncode, done.stdout, done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    gable = arguments.build.resolve() / "gable"
    work = pathlib.Path(tempfile.mkdtemp(prefix="gable-test-programs-"))
    work.chmod(0o755)
    environment = dict(os.environ, LC_ALL="C")
    settings = [pathlib.Path("/proc/sys/kernel/numa_balancing")]
    if not arguments.real:
        environment["GABLE_SYSTEM_ROOT"] = str(work / "root")
        settings = make_root(work / "root")
    before = [path.read_text() for path in settings]
    failures, cases, absent = [], 0, []
    try:
        for name, (needed, commands) in PROGRAMS.items():
            if arguments.only not in name:
                continue
            if shutil.which(needed) is None:
                absent.append(name)
                continue
            program = ["sh", "-c", commands]
            folder = work / "folder"
            alone = run(program, folder, environment)
            for policy in POLICIES * arguments.runs:
                words = [word.replace("learned", str(work / "learned.json")) for word in policy]
                if policy[0] == "oracle" and not (work / "learned.json").exists():
                    continue  # the program was too short for one sample
                cases += 1
                status, out, err = run([gable, "kmaf", "run", "--policy", *words, "--json", "--report", work / "report.json",
                                        "--", *program], folder, environment)
                said = b"".join(line for line in err.splitlines(True) if not line.startswith(b"gable: "))
                case = f"{name}, {' '.join(policy)}"
                nothing_learned = b"nothing" in err and "--learn" in policy and status == 1 and alone[0] == 0
                if status != alone[0] and not nothing_learned:
                    failures.append(f"{case}: exit {status}, alone {alone[0]}: {err[-300:]}")
                if out != alone[1]:
                    failures.append(f"{case}: output {out[-200:]}, alone {alone[1][-200:]}")
                if said != alone[2]:
                    failures.append(f"{case}: errors {said[-200:]}, alone {alone[2][-200:]}")
                json.loads((work / "report.json").read_text())
                now = [path.read_text() for path in settings]
                if now != before:
                    failures.append(f"{case}: settings {now}, before {before}")
                    for path, text in zip(settings, before):
                        path.write_text(text)
            (work / "learned.json").unlink(missing_ok=True)
            print(f"{name}: exit {alone[0]}, {len(failures)} failures so far", flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for failure in failures:
        print("FAILED:", failure)
    print(f"{cases} cases, {len(failures)} failures; not installed: {', '.join(absent) or 'none'}")
    return 1 if failures else 0


sys.exit(main())
