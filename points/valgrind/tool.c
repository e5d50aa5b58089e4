// The Valgrind tool `gable`: counts floating-point operations and bytes of any program, exactly, per thread,
// per function and per marked region. docs/programs/counters.md defines what is counted.

#include <pub_tool_basics.h>
#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_options.h>
#include <pub_tool_threadstate.h>
#include <pub_tool_tooliface.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "points/valgrind/futex.h"
#include "points/valgrind/instrument.h"
#include "points/valgrind/optimize.h"
#include "points/valgrind/places/regions.h"
#include "points/valgrind/profile/barriers.h"
#include "points/valgrind/profile/branches.h"
#include "points/valgrind/profile/chains.h"
#include "points/valgrind/profile/objects/allocations.h"
#include "points/valgrind/profile/objects/callers.h"
#include "points/valgrind/profile/objects/objects.h"
#include "points/valgrind/profile/path/critical_path.h"
#include "points/valgrind/profile/profile.h"
#include "points/valgrind/profile/turns.h"
#include "points/valgrind/profile/waits.h"
#include "points/valgrind/report.h"
#include "points/valgrind/tally.h"
#include "points/valgrind/trace/trace.h"

static Bool take_option(const HChar* option) {
  if VG_STR_CLO (option, REPORT_OPTION, report_prefix) {
  } else if VG_BOOL_CLO (option, "--functions", per_function) {
  } else if VG_BOOL_CLO (option, "--profile", profile.is_on) {
  } else if VG_BOOL_CLO (option, "--profile-lines", profile.by_line) {
  } else if VG_BINT_CLO (option, "--profile-most", profile.lines, 1 << 10, 1 << 26) {
  } else if VG_BINT_CLO (option, "--profile-turn", profile.turn, 1, 1 << 30) {
  } else if VG_STR_CLO (option, "--trace", trace.path) {
  } else if VG_BOOL_CLO (option, "--trace-stack", trace.stack) {
  } else if VG_BINT_CLO (option, "--trace-every", trace.every, 1, 1 << 30) {
  } else if VG_BINT_CLO (option, "--trace-burst", trace.burst, 1, 1LL << 60) {
  } else if VG_BINT_CLO (option, "--trace-burst-of", trace.of, 1, 1LL << 60) {
  } else if VG_BINT_CLO (option, "--trace-most", trace.most, 1, 1LL << 60) {
  } else if VG_BINT_CLO (option, "--trace-turn", trace.turn, 1, 1 << 30) {
  } else {
    return False;
  }
  return True;
}

static const HChar usage[] =
    "    --functions=no|yes        count per function too [no]\n"
    "    --profile=no|yes          also profile the program's memory accesses [no]\n"
    "    --profile-lines=no|yes    by source lines instead of functions [no]\n"
    "    --profile-most=N          follow at most so many cache lines [1048576]\n"
    "    --profile-turn=N          let the next thread run after N blocks of code [4096]\n"
    "    --trace=FILE              write every access to memory to FILE: CSV, or binary if it ends in "
    ".trace\n"
    "    --trace-stack=no|yes      accesses to the stack too [no]\n"
    "    --trace-every=N           one access of N [1]\n"
    "    --trace-burst=N --trace-burst-of=M  the first N of every M accesses, and the first to each page "
    "[all]\n"
    "    --trace-most=N            end the trace after N accesses [never]\n"
    "    --trace-turn=N            let the next thread run after N accesses [when Valgrind does]\n"
    "    --counts=PREFIX           write the counts to PREFIX.PID.N; the last option before the program\n";

static void print_usage(void) {
  VG_(printf)("%s", usage);
}

static void print_debug_usage(void) {
  VG_(printf)("    (none)\n");
}

// The program may change its working directory.
static void want_absolute(const HChar* option, const HChar* path) {
  if (!path || path[0] != '/') VG_(fmsg_bad_option)(option, "wants an absolute path\n");
}

static void start(void) {
  want_absolute(REPORT_OPTION, report_prefix);
  if (trace.path) want_absolute("--trace", trace.path);
  tally_initialize();
  regions_initialize();
  const UInt image = report_reserve();
  if (trace.path) trace_begin(image == 0, image);
  if (profile.is_on) {
    per_function = True;
    profile_begin();
  }
}

// Under Valgrind clocks are read by system calls, because the program sees no vDSO.
static Bool reads_clock(UInt number) {
  switch (number) {
    case __NR_clock_gettime:
    case __NR_gettimeofday:
    case __NR_times:
#ifdef __NR_time
    case __NR_time:
#endif
      return True;
    default:
      return False;
  }
}

static Bool sets_timer(UInt number) {
  switch (number) {
    case __NR_setitimer:
    case __NR_timer_settime:
    case __NR_timerfd_settime:
#ifdef __NR_alarm
    case __NR_alarm:
#endif
      return True;
    default:
      return False;
  }
}

static void before_syscall(ThreadId thread, UInt number, UWord* arguments, UInt count) {
  (void)thread;
  if (reads_clock(number)) ++report_clock_reads;
  if (sets_timer(number)) ++report_timers;
  const Bool is_futex = number == __NR_futex && count >= 3;
  if (!is_futex || !futex_wakes(arguments[1])) turns_leave(running_number);  // a wake does not wait
  if (trace.path && is_futex) trace_futex(arguments[0], arguments[1], arguments[2]);
  if (profile.is_on && is_futex) waits_before_futex(running_number, arguments[0], arguments[1]);
  if (number != __NR_execve) return;
  trace_flush();
  report_write(REPLACED);
}

static void after_syscall(ThreadId thread, UInt number, UWord* arguments, UInt count, SysRes result) {
  if (!profile.is_on || number != __NR_futex || count < 3) return;
  waits_after_futex(tally_thread_starts(thread), arguments[0], arguments[1],
                    sr_isError(result) ? -1 : (Long)sr_Res(result));
}

static void switch_to(ThreadId thread, ULong blocks_done) {
  const UInt before = running_number;
  tally_switch(thread, blocks_done);
  if (trace.path) trace_switch();
  if (!profile.is_on) return;
  profile_switch(running_number);
  waits_switch(running_number);
  allocations_switch(running_number);
  chains_switch(running_number);
  if (running_number != before) path_restart();
  profile_enter(regions_now());
}

static void stop(ThreadId thread, ULong blocks_done) {
  (void)thread, (void)blocks_done;
  if (profile.is_on) profile_stop();
}

static void thread_starts(ThreadId creator, ThreadId thread) {
  if (profile.is_on) object_stack_begins(thread);
  if (creator == VG_INVALID_THREADID) return;  // the first one
  const UInt number = tally_thread_starts(thread);
  if (trace.path) trace_thread_starts(number);
  if (profile.is_on) waits_thread_starts(number);
}

static void thread_ends(ThreadId thread) {
  const Bool has_run = thread == VG_(get_running_tid)();  // otherwise it could not be created
  if (trace.path && has_run) trace_thread_ends();
  if (has_run) turns_leave(running_number);
  if (has_run && profile.is_on) waits_thread_ends(running_number);
  tally_thread_ends(thread);
  if (profile.is_on) object_stack_ends(thread);
}

static void in_child(ThreadId thread) {
  tally_forget(thread);
  regions_forget();
  report_clock_reads = report_timers = 0;
  const UInt image = report_reserve();
  if (trace.path) trace_begin(False, image);
  turns_forget();
  if (!profile.is_on) return;
  profile_forget(thread);
  allocations_forget();
  chains_forget();
  waits_forget();
  barriers_forget();
  path_restart();
  branches_forget();
}

static void maps(Addr address, SizeT bytes, Bool reads, Bool writes, Bool executes, ULong file) {
  (void)reads, (void)writes, (void)executes, (void)file;
  if (!profile.is_on || allocations_is_inside() || VG_(get_running_tid)() == VG_INVALID_THREADID) return;
  object_mapped(address, bytes, callers_now(VG_(get_running_tid)()));
}

static void breaks(Addr address, SizeT bytes, ThreadId thread) {
  if (!profile.is_on || allocations_is_inside() || thread == VG_INVALID_THREADID) return;
  object_mapped(address, bytes, callers_now(thread));
}

static void moves(Addr from, Addr to, SizeT bytes) {
  if (profile.is_on) object_moved(from, to, bytes);
}

static void unmaps(Addr address, SizeT bytes) {
  if (profile.is_on) object_unmapped(address, bytes);
}

static void finish(Int status) {
  (void)status;
  trace_flush();
  report_write(ENDED);
}

static void initialize(void) {
  VG_(details_name)("gable");
  VG_(details_version)(NULL);
  VG_(details_description)("floating-point operations and bytes");
  VG_(details_copyright_author)("GPL-2.0-or-later, as Valgrind's core, which it is linked with");
  VG_(details_bug_reports_to)("Gable");
  VG_(basic_tool_funcs)(start, instrument, finish);
  VG_(needs_command_line_options)(take_option, print_usage, print_debug_usage);
  VG_(needs_client_requests)(regions_request);
  VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
  VG_(track_start_client_code)(switch_to);
  VG_(track_stop_client_code)(stop);
  VG_(track_pre_thread_ll_create)(thread_starts);
  VG_(track_pre_thread_ll_exit)(thread_ends);
  VG_(track_new_mem_mmap)(maps);
  VG_(track_new_mem_brk)(breaks);
  VG_(track_copy_mem_remap)(moves);
  VG_(track_die_mem_munmap)(unmaps);
  VG_(track_die_mem_brk)(unmaps);
  VG_(atfork)(NULL, NULL, in_child);
  optimize_later();
}

VG_DETERMINE_INTERFACE_VERSION(initialize)
