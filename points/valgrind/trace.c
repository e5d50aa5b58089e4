#include "points/valgrind/trace.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_threadstate.h>
#include <pub_tool_vki.h>

#include "points/valgrind/pages.h"
#include "points/valgrind/tally.h"

TraceOptions trace = {.every = 1};

enum { buffer_bytes = 1 << 20, longest_line = 64 };

static HChar* path;
static HChar buffer[buffer_bytes];
static UInt used;
static Bool is_binary;
static TraceState state;

const TraceState* trace_state(void) {
  return &state;
}

static Bool write_all(Int file, const HChar* text, UInt bytes) {
  for (UInt done = 0; done < bytes;) {
    const Int written = VG_(write)(file, text + done, bytes - done);
    if (written <= 0) return False;
    done += written;
  }
  return True;
}

// The file is open only during writes: a permanent descriptor would take a number that the program
// expects to be free.
static void append(const HChar* text, UInt bytes, Int flags) {
  if (state.has_failed) return;
  const SysRes opened = VG_(open)(path, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_APPEND | flags, 0666);
  state.has_failed = sr_isError(opened) || !write_all(sr_Res(opened), text, bytes);
  if (!sr_isError(opened)) VG_(close)(sr_Res(opened));
  if (state.has_failed) VG_(umsg)("gable: cannot write %s: the trace ends here\n", path);
}

void trace_begin(Bool is_first, UInt image) {
  static const HChar binary[] = "GABLETR1", text[] = "tid,address,bytes,write\n";
  const SizeT length = VG_(strlen)(trace.path);
  if (!path) path = VG_(malloc)("gable.trace", length + 32);
  VG_(snprintf)(path, length + 32, is_first ? "%s" : "%s.%d.%u", trace.path, VG_(getpid)(), image);
  is_binary = length > 6 && VG_(strcmp)(trace.path + length - 6, ".trace") == 0;
  used = 0;
  state = (TraceState){.path = path};
  pages_forget();
  append(is_binary ? binary : text, is_binary ? sizeof binary - 1 : sizeof text - 1, VKI_O_TRUNC);
}

void trace_flush(void) {
  if (trace.path && used > 0) append(buffer, used, 0);
  used = 0;
}

// Between the stack pointer and the top of the thread's stack, or in a red zone below it.
static Bool is_stack(Addr address) {
  const ThreadId thread = VG_(get_running_tid)();
  return address >= VG_(get_SP)(thread) - redzone && address <= VG_(thread_get_stack_max)(thread);
}

static void put_number(ULong value, UInt base) {
  HChar digits[24];
  UInt count = 0;
  do {
    digits[count++] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value);
  while (count) buffer[used++] = digits[--count];
}

static void put_line(Addr address, UInt bytes, Bool is_write) {
  put_number(running_number, 10);
  buffer[used++] = ',';
  buffer[used++] = '0';
  buffer[used++] = 'x';
  put_number(address, 16);
  buffer[used++] = ',';
  put_number(bytes, 10);
  buffer[used++] = ',';
  buffer[used++] = is_write ? '1' : '0';
  buffer[used++] = '\n';
}

static void put_record(Addr address, UInt what) {
  VG_(memcpy)(buffer + used, &address, 8);
  VG_(memcpy)(buffer + used + 8, &running_number, 4);
  VG_(memcpy)(buffer + used + 12, &what, 4);
  used += 16;
}

// Threads run one at a time. Short turns make the order of the trace close to that of a parallel run. The
// scheduler gives a thread as many events as the event counter has left.
static void take_turn(GuestState* guest) {
  static UInt whose;
  static Int taken;
  if (whose != running_number) {
    whose = running_number;
    taken = 0;
  }
  if (++taken < trace.turn) return;
  taken = 0;
  if ((Int)guest->host_EvC_COUNTER > 0) guest->host_EvC_COUNTER = 0;
}

static Bool is_wanted(Addr address) {
  const ULong number = state.seen++;
  if (trace.every > 1 && number % trace.every) return False;
  if (!trace.of) return True;
  const Bool is_first = page_is_new(address);
  return is_first || number % trace.of < (ULong)trace.burst;
}

VG_REGPARM(3) void trace_access(GuestState* guest, Addr address, UWord what) {
  if (state.has_ended || (!trace.stack && is_stack(address))) return;
  if (trace.turn) take_turn(guest);
  if (!is_wanted(address)) return;
  if (used > buffer_bytes - longest_line) trace_flush();
  if (is_binary) {
    put_record(address, what);
  } else {
    put_line(address, what / 2, what & 1);
  }
  ++state.written;
  state.has_ended = trace.most && state.written >= (ULong)trace.most;
}
