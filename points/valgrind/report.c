#include "points/valgrind/report.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_vki.h>

#include "points/valgrind/instrument.h"
#include "points/valgrind/json.h"
#include "points/valgrind/places/code.h"
#include "points/valgrind/places/loops.h"
#include "points/valgrind/places/regions.h"
#include "points/valgrind/profile/path/critical_path.h"
#include "points/valgrind/profile/profile.h"
#include "points/valgrind/profile/report.h"
#include "points/valgrind/tally.h"
#include "points/valgrind/trace/trace.h"

const HChar* report_prefix;
ULong report_clock_reads;
ULong report_timers;

static HChar* path;
static ULong started_us;  // since 1970

UInt report_reserve(void) {
  const SizeT size = VG_(strlen)(report_prefix) + 32;
  struct vki_timeval now;
  VG_(gettimeofday)(&now, NULL);
  started_us = now.tv_sec * 1000000ULL + now.tv_usec;
  if (!path) path = VG_(malloc)("gable.path", size);
  for (UInt image = 0;; ++image) {
    VG_(snprintf)(path, size, "%s.%d.%u", report_prefix, VG_(getpid)(), image);
    const SysRes opened = VG_(open)(path, VKI_O_CREAT | VKI_O_EXCL | VKI_O_WRONLY, 0600);
    if (!sr_isError(opened)) {
      VG_(close)(sr_Res(opened));
      return image;
    }
    if (sr_Err(opened) != VKI_EEXIST) {
      VG_(umsg)("gable: cannot create %s\n", path);
      return image;
    }
  }
}

static HChar* read_all(const HChar* name, SizeT* bytes) {
  *bytes = 0;
  const Int file = VG_(fd_open)(name, VKI_O_RDONLY, 0);
  SizeT room = 4096;
  HChar* text = VG_(malloc)("gable.file", room);
  for (Int got; file >= 0 && (got = VG_(read)(file, text + *bytes, room - *bytes - 1)) > 0;) {
    *bytes += got;
    if (room - *bytes < 2) text = VG_(realloc)("gable.file", text, room *= 2);
  }
  if (file >= 0) VG_(close)(file);
  text[*bytes] = 0;
  return text;
}

// The program's arguments follow the option that names our file, which is our last option.
static void write_command(Json* json) {
  SizeT bytes;
  HChar* const arguments = read_all("/proc/self/cmdline", &bytes);
  Bool is_program = False, is_first = True;
  for (const HChar* argument = arguments; argument < arguments + bytes;
       argument += VG_(strlen)(argument) + 1) {
    if (is_program) {
      if (!is_first) json_text(json, ",");
      json_string(json, argument);
      is_first = False;
    } else {
      is_program = VG_(strncmp)(argument, REPORT_OPTION "=", sizeof REPORT_OPTION) == 0;
    }
  }
  VG_(free)(arguments);
}

static void write_tally(Json* json, const Tally* tally) {
  static const HChar* const operations[OPERATIONS] = {"add", "mul", "div", "sqrt", "fma"};
  static const struct {
    const HChar* precision;
    UInt bits;
  } shapes[SHAPES] = {{"sp", 0}, {"sp", 128}, {"sp", 256}, {"dp", 0}, {"dp", 128}, {"dp", 256}, {"x87", 0}};
  json_text(json, "\"load_bytes\":%llu,\"store_bytes\":%llu,", tally->of[LOAD_BYTES], tally->of[STORE_BYTES]);
  json_text(json, "\"instructions\":[");
  for (UInt i = INSTRUCTIONS; i < FLOPS; ++i)
    json_text(json, i > INSTRUCTIONS ? ",%llu" : "%llu", tally->of[i]);
  json_text(json, "],\"flops\":[");
  const HChar* separator = "";
  for (Operation operation = ADD; operation < OPERATIONS; ++operation) {
    for (Shape shape = 0; shape < SHAPES; ++shape) {
      const ULong count = tally->of[flops_index(operation, shape)];
      if (!count) continue;
      json_text(json, "%s{\"operation\":\"%s\",\"precision\":\"%s\",\"vector_bits\":%u,\"count\":%llu}",
                separator, operations[operation], shapes[shape].precision, shapes[shape].bits, count);
      separator = ",";
    }
  }
  json_text(json, "]");
}

static void write_threads(Json* json) {
  for (Word i = 0; i < tally_threads(); ++i) {
    json_text(json, i ? ",\n{" : "{");
    write_tally(json, tally_of_thread(i));
    json_text(json, "}");
  }
}

static Bool is_idle(const Tally* tally) {
  for (UInt i = 0; i < COUNTERS; ++i) {
    if (tally->of[i]) return False;
  }
  return True;
}

// The tracked instructions, and the operations on their critical path. Its parts in a function may be shorter
// than nothing, by little: another chain is then the longest one.
static void write_path(Json* json, const CriticalPath* path) {
  json_text(json,
            ",\"critical_path\":{\"tracked\":%llu,\"mispredicted\":%llu,\"resolving\":%llu,\"chained\":%llu,"
            "\"steps\":%llu,\"unordered\":%llu,\"waited\":%llu",
            path->instructions, path->mispredicted, (ULong)path->resolving, path->chained, path->steps,
            path->unordered, path->waited);
  for (UInt i = 0; i < LATENCIES; ++i)
    json_text(json, ",\"%s\":%lld", path_operation(i), path->operations[i] > 0 ? path->operations[i] : 0);
  json_text(json, "}");
}

static void write_loop(Json* json, const Function* loop) {
  const HChar* file;
  UInt line;
  json_text(json, ",\"loop\":%llu", loop->offset);
  if (!loop_line(loop, &file, &line)) return;
  json_text(json, ",\"file\":");
  json_string(json, file);
  json_text(json, ",\"line\":%u", line);
}

// A function without its loops, or one of them.
static void write_part(Json* json, const Function* part, const HChar** separator) {
  json_text(json, "%s{\"function\":", *separator);
  json_string(json, part->name);
  json_text(json, ",\"object\":");
  json_string(json, part->object);
  if (part->whole) write_loop(json, part);
  json_text(json, ",\"code\":");
  code_write(json, part);
  json_text(json, ",");
  write_tally(json, &part->tally);
  if (part->path) write_path(json, part->path);
  json_text(json, "}");
  *separator = ",\n";
}

static void write_functions(Json* json) {
  const HChar* separator = "";
  functions_rewind();
  for (Function* function; (function = functions_next());) {
    loops_join(function);
    Bool has_loops = False;
    for (const Function* loop = NULL; (loop = loop_next(function, loop));) {
      if (is_idle(&loop->tally)) continue;
      write_part(json, loop, &separator);
      has_loops = True;
    }
    if (has_loops || !is_idle(&function->tally)) write_part(json, function, &separator);
  }
}

static void write_regions(Json* json) {
  for (Word i = 0; i < regions_count(); ++i) {
    const Region* const region = region_at(i);
    json_text(json, "%s{\"region\":", i ? ",\n" : "");
    json_string(json, region->name);
    json_text(json, ",\"calls\":%llu,\"threads\":%u,\"open\":%u,", region->calls, region->threads,
              region->inside);
    write_tally(json, &region->work);
    json_text(json, ",\"meanwhile\":{");
    write_tally(json, &region->meanwhile);
    json_text(json, "}}");
  }
}

static void write_undecodable(Json* json) {
  UInt bytes;
  const UChar* const code = undecodable(&bytes);
  json_text(json, "\"undecodable\":[");
  for (UInt i = 0; i < bytes; ++i) json_text(json, "%s%u", i ? "," : "", code[i]);
  json_text(json, "]");
}

static void write_trace(Json* json) {
  const TraceState* const state = trace_state();
  json_text(json, ",\n\"trace\":{\"path\":");
  json_string(json, state->path);
  json_text(json, ",\"seen\":%llu,\"written\":%llu,\"ended\":%s,\"failed\":%s}", state->seen, state->written,
            state->has_ended ? "true" : "false", state->has_failed ? "true" : "false");
}

void report_write(Ending ending) {
  const SysRes opened = VG_(open)(path, VKI_O_CREAT | VKI_O_TRUNC | VKI_O_WRONLY, 0600);
  if (sr_isError(opened)) {
    VG_(umsg)("gable: cannot write %s\n", path);
    return;
  }
  Json json;
  json_begin(&json, sr_Res(opened));
  json_text(&json, "{\"schema\":1,\"started_us\":%llu,\"pid\":%d,\"replaced\":%s,\"command\":[", started_us,
            VG_(getpid)(), ending == REPLACED ? "true" : "false");
  write_command(&json);
  json_text(&json, "],\n");
  write_undecodable(&json);
  json_text(&json, ",\"clock_reads\":%llu,\"timers\":%llu", report_clock_reads, report_timers);
  json_text(&json, ",\n\"threads\":[");
  write_threads(&json);
  json_text(&json, "],\n\"functions\":[");
  write_functions(&json);
  json_text(&json, "],\n\"regions\":[");
  write_regions(&json);
  json_text(&json, "]");
  if (trace.path) write_trace(&json);
  if (profile.is_on) profile_report(&json);
  json_text(&json, "}\n");
  if (!json_finish(&json)) VG_(umsg)("gable: cannot write all of %s\n", path);
  VG_(close)(sr_Res(opened));
}
