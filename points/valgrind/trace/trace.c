#include "points/valgrind/trace/trace.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_threadstate.h>
#include <pub_tool_vki.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/futex.h"
#include "points/valgrind/profile/profile.h"
#include "points/valgrind/profile/turns.h"
#include "points/valgrind/tally.h"
#include "points/valgrind/trace/pages.h"

TraceOptions trace = {.every = 1};

enum { buffer_bytes = 1 << 20, longest_line = 64 };

// docs/formats/kmaf.md: a record without bytes is an event, and the field of its instructions says which.
enum {
  EVENT_WORK,
  EVENT_WAIT,
  EVENT_WAIT_FOR,
  EVENT_WAKE_ONE,
  EVENT_WAKE_ALL,
  EVENT_END,
  EVENT_LOCK,
  EVENT_UNLOCK
};
enum { most_bytes = 1 << 20, most_instructions = 1023, instructions_bit = 22 };

ULong trace_instructions;

static HChar* path;
static HChar buffer[buffer_bytes];
static UInt used;
static Bool is_binary;
static TraceState state;
static XArray* instructions_of;  // ULong, by thread: `trace_instructions` of those that do not run
static UInt counted;             // the thread that `trace_instructions` belongs to

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
  static const HChar binary[] = "GABLETR2", text[] = "tid,address,bytes,write,instructions\n";
  const SizeT length = VG_(strlen)(trace.path);
  if (!path) path = VG_(malloc)("gable.trace", length + 32);
  VG_(snprintf)(path, length + 32, is_first ? "%s" : "%s.%d.%u", trace.path, VG_(getpid)(), image);
  is_binary = length > 6 && VG_(strcmp)(trace.path + length - 6, ".trace") == 0;
  used = 0;
  state = (TraceState){.path = path};
  pages_forget();
  if (instructions_of) VG_(deleteXA)(instructions_of);
  instructions_of = VG_(newXA)(VG_(malloc), "gable.instructions", VG_(free), sizeof(ULong));
  trace_instructions = counted = 0;
  append(is_binary ? binary : text, is_binary ? sizeof binary - 1 : sizeof text - 1, VKI_O_TRUNC);
}

void trace_flush(void) {
  if (trace.path && used > 0) append(buffer, used, 0);
  used = 0;
}

// Whether the address is between the stack pointer and the top of the thread's stack, or in a red zone below
// it.
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

static void put_line(Addr address, UInt bytes, Bool is_write, UInt instructions) {
  put_number(running_number, 10);
  buffer[used++] = ',';
  buffer[used++] = '0';
  buffer[used++] = 'x';
  put_number(address, 16);
  buffer[used++] = ',';
  put_number(bytes, 10);
  buffer[used++] = ',';
  buffer[used++] = is_write ? '1' : '0';
  buffer[used++] = ',';
  put_number(instructions, 10);
  buffer[used++] = '\n';
}

static void put(Addr address, UInt bytes, Bool is_write, UInt instructions) {
  if (used > buffer_bytes - longest_line) trace_flush();
  if (!is_binary) {
    put_line(address, bytes, is_write, instructions);
    return;
  }
  const UInt what = instructions << instructions_bit | bytes << 1 | is_write;
  VG_(memcpy)(buffer + used, &address, 8);
  VG_(memcpy)(buffer + used + 8, &running_number, 4);
  VG_(memcpy)(buffer + used + 12, &what, 4);
  used += 16;
}

// Valgrind runs `rep movsb` byte by byte, a processor by lines. A byte that follows one of the last two
// accesses within their line is added to that access. Returns whether it was.
static Bool extends(Addr address, Bool is_write) {
  if (!is_binary) return False;
  for (UInt back = 16; back <= 32 && back + 8 <= used; back += 16) {
    HChar* const record = buffer + used - back;
    Addr first;
    UInt number, what;
    VG_(memcpy)(&first, record, 8);
    VG_(memcpy)(&number, record + 8, 4);
    VG_(memcpy)(&what, record + 12, 4);
    const UInt bytes = (what & ((1U << instructions_bit) - 1)) >> 1;
    if (!bytes || number != running_number || (what & 1) != is_write || first + bytes != address) continue;
    const ULong instructions = (what >> instructions_bit) + trace_instructions;
    if (address % 64 == 0 || instructions > most_instructions) return False;
    what = (UInt)instructions << instructions_bit | (bytes + 1) << 1 | is_write;
    VG_(memcpy)(record + 12, &what, 4);
    return True;
  }
  return False;
}

static void put_work(void) {
  if (trace_instructions) put(trace_instructions, 0, False, EVENT_WORK);
  trace_instructions = 0;
}

static void put_event(UInt event, Addr address) {
  put_work();
  put(address, 0, False, event);
}

void trace_switch(void) {
  if (trace.turn && !profile.is_on) turns_begin(running_number);
  if (counted == running_number) return;
  const UInt most = counted > running_number ? counted : running_number;
  const ULong none = 0;
  while (VG_(sizeXA)(instructions_of) <= (Word)most) VG_(addToXA)(instructions_of, &none);
  *(ULong*)VG_(indexXA)(instructions_of, counted) = trace_instructions;
  counted = running_number;
  trace_instructions = *(ULong*)VG_(indexXA)(instructions_of, counted);
}

void trace_thread_starts(UInt number) {
  if (state.has_ended) return;
  put_work();
  const UInt creator = running_number;
  running_number = number;
  put(0, 0, False, EVENT_WORK);
  running_number = creator;
}

void trace_thread_ends(void) {
  if (!state.has_ended) put_event(EVENT_END, 0);
}

VG_REGPARM(2) void trace_lock(Addr lock, UWord is_asked_for) {
  if (!state.has_ended) put_event(is_asked_for ? EVENT_LOCK : EVENT_UNLOCK, lock);
}

// Barriers wait by VKI_FUTEX_WAIT and wake all; condition variables wait by VKI_FUTEX_WAIT_BITSET.
void trace_futex(Addr address, UWord operation, UInt count) {
  if (state.has_ended) return;
  switch (futex_without_flags(operation)) {
    case VKI_FUTEX_WAIT:
      put_event(EVENT_WAIT, address);
      break;
    case VKI_FUTEX_WAIT_BITSET:
      put_event(EVENT_WAIT_FOR, address);
      break;
    case VKI_FUTEX_WAKE:
    case VKI_FUTEX_WAKE_BITSET:
      put_event(count == 1 ? EVENT_WAKE_ONE : EVENT_WAKE_ALL, address);
      break;
    default:
      break;
  }
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
  if (++taken < turns_length(trace.turn)) return;
  taken = 0;
  turns_end();
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
  trace_instructions += what >> 32;
  if (state.has_ended || (!trace.stack && is_stack(address))) return;
  if (trace.turn && !profile.is_on) take_turn(guest);
  const UInt bytes = (UInt)what / 2;
  if (is_wanted(address) && !(bytes == 1 && extends(address, what & 1))) {
    if (trace_instructions > most_instructions) {
      put(trace_instructions, 0, False, EVENT_WORK);
      trace_instructions = 0;
    }
    put(address, bytes < most_bytes ? bytes : most_bytes, what & 1, trace_instructions);
    ++state.written;
    state.has_ended = trace.most && state.written >= (ULong)trace.most;
  }
  trace_instructions = 0;
}
