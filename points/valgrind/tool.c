// The Valgrind tool `gable`: counts floating-point operations and bytes of any program, exactly, per thread
// and per function. docs/points.md says what counts as what.

#include <pub_tool_basics.h>
#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_options.h>
#include <pub_tool_tooliface.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "points/valgrind/instrument.h"
#include "points/valgrind/report.h"
#include "points/valgrind/tally.h"

static Bool take_option(const HChar* option) {
  if VG_STR_CLO (option, REPORT_OPTION, report_prefix) {
  } else if VG_BOOL_CLO (option, "--functions", per_function) {
  } else {
    return False;
  }
  return True;
}

static void print_usage(void) {
  VG_(printf)
  ("    --functions=no|yes        count per function too [no]\n"
   "    --counts=PREFIX           write the counts to PREFIX.PID.N; the last option before the program\n");
}

static void print_debug_usage(void) {
  VG_(printf)("    (none)\n");
}

static void start(void) {
  if (!report_prefix || report_prefix[0] != '/')
    VG_(fmsg_bad_option)(REPORT_OPTION, "wants an absolute path\n");
  tally_initialise();
  report_reserve();
}

static void before_syscall(ThreadId thread, UInt number, UWord* arguments, UInt count) {
  (void)thread, (void)arguments, (void)count;
  if (number == __NR_execve) report_write(REPLACED);
}

static void after_syscall(ThreadId thread, UInt number, UWord* arguments, UInt count, SysRes result) {
  (void)thread, (void)number, (void)arguments, (void)count, (void)result;
}

static void in_child(ThreadId thread) {
  tally_forget(thread);
  report_reserve();
}

static void finish(Int status) {
  (void)status;
  report_write(ENDED);
}

// Every load and every operation must reach us, those too whose result nobody uses: VEX may not remove code.
// Nor may it make one block of several, in which it turns a second condition into guarded code.
static void keep_the_code(void) {
  VG_(clo_vex_control).iropt_level = 0;
  VG_(clo_vex_control).iropt_register_updates_default = VexRegUpdAllregsAtEachInsn;
  VG_(clo_px_file_backed) = VexRegUpdAllregsAtEachInsn;
  VG_(clo_vex_control).iropt_unroll_thresh = 0;
  VG_(clo_vex_control).guest_chase = False;
}

static void initialise(void) {
  VG_(details_name)("gable");
  VG_(details_version)(NULL);
  VG_(details_description)("floating-point operations and bytes");
  VG_(details_copyright_author)("GPL-2.0-or-later, as Valgrind's core, which it is linked with");
  VG_(details_bug_reports_to)("Gable");
  VG_(basic_tool_funcs)(start, instrument, finish);
  VG_(needs_command_line_options)(take_option, print_usage, print_debug_usage);
  VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
  VG_(track_start_client_code)(tally_switch);
  VG_(track_pre_thread_ll_exit)(tally_thread_ends);
  VG_(atfork)(NULL, NULL, in_child);
  keep_the_code();
}

VG_DETERMINE_INTERFACE_VERSION(initialise)
