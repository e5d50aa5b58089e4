#pragma once

// What notes, reasons and remarks say. One row each: its name in files, and its sentence. In a sentence
// {} is an argument, {.1} a number with so many digits behind the point, {id} one that names a cluster, a
// node or a CPU, {b} a number of bytes.

#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

enum class NoteCode {
  none,
  text,
  // Why a visit was not made, or does not count.
  interrupted,
  budget_used,
  budget_used_touching,
  like_spots,
  like_rows,
  like_unknown,
  thread_moved,
  stalled,
  others_busy,
  half_of_buffer,
  pages_elsewhere,
  pages_not_in_memory,
  pages_uneven,
  little_memory,
  few_huge_pages,
  no_kernel,
  kernel_does_not_run,
  no_such_pages,
  // Remarks on visits.
  spot_of,
  at_once,
  emulated,
  clock_changed,
  not_watched,
  record_full,
  smaller_buffers,
  small_set,
  small_set_asked,
  large_set_asked,
  partly_in_caches,
  side_cache_holds,
  side_cache_exceeded,
  not_bound,
  mostly_of_cache,
  // Remarks on roofs.
  cache_may_hold_part,
  smaller_buffers_may_be_held,
  idle_clock,
  falls_with_load,
  other_state,
  two_states,
  crowded_visits,
  // Of figures without a counterpart.
  not_measured_there,
  measured_otherwise,
  other_threads_there
};

struct NoteRow {
  NoteCode value;
  std::string_view name;
  std::string_view words;
};
inline constexpr NoteRow note_rows[] = {
    {NoteCode::none, "", ""},
    {NoteCode::text, "text", "{}"},
    {NoteCode::interrupted, "interrupted", "interrupted"},
    {NoteCode::budget_used, "budget_used", "the time budget ran out first"},
    {NoteCode::budget_used_touching, "budget_used_touching",
     "the time budget ran out while its memory was touched"},
    {NoteCode::like_spots, "like_spots", "like {}, as spots show"},
    {NoteCode::like_rows, "like_rows",
     "not measured; like {}, as spots of this cluster and of this node with others show"},
    {NoteCode::like_unknown, "like_unknown", "whether it is like {} is not known: no spot of both is valid"},
    {NoteCode::thread_moved, "thread_moved", "the thread of CPU {id} ran on CPU {id}"},
    {NoteCode::stalled, "stalled", "{.0} of {.0} repetitions stalled (steal {.0} %)"},
    {NoteCode::others_busy, "others_busy", "other processes kept {.1} CPUs busy"},
    {NoteCode::half_of_buffer, "half_of_buffer", "the buffer was less than half of the requested size"},
    {NoteCode::pages_elsewhere, "pages_elsewhere", "{.0} of {.0} MiB were on node {id}"},
    {NoteCode::pages_not_in_memory, "pages_not_in_memory",
     "{.0} MiB are not in memory (swapped out or being migrated)"},
    {NoteCode::pages_uneven, "pages_uneven", "node {id} holds {.0} of {.0} MiB, not an even share"},
    {NoteCode::little_memory, "little_memory", "not enough free memory{}: {.0} % of the buffers would fit"},
    {NoteCode::few_huge_pages, "few_huge_pages",
     "only {.0} % of the buffer has {b} pages: transparent huge pages are off or memory is fragmented (echo "
     "madvise > /sys/kernel/mm/transparent_hugepage/enabled)"},
    {NoteCode::no_kernel, "no_kernel", "{} has no {}"},
    {NoteCode::kernel_does_not_run, "kernel_does_not_run", "this CPU cannot run {}"},
    {NoteCode::no_such_pages, "no_such_pages", "the kernel has no {} pages"},
    {NoteCode::spot_of, "spot_of", "a spot cell of what is like {}"},
    {NoteCode::at_once, "at_once", "on all clusters at once: one alone differed by less than 1 %"},
    {NoteCode::emulated, "emulated", "emulated machine: locations are valid, speeds are not"},
    {NoteCode::clock_changed, "clock_changed", "the clock changed, {.2} GHz before and {.2} after"},
    {NoteCode::not_watched, "not_watched",
     "/proc/stat cannot be read: steal and other processes are not monitored"},
    {NoteCode::record_full, "record_full", "the record ended early, at its largest number of detours"},
    {NoteCode::smaller_buffers, "smaller_buffers",
     "buffers have {.0} % of the requested size: not enough free memory{}"},
    {NoteCode::small_set, "small_set",
     "limited by {}: {b} per cluster instead of the default working set of {b}"},
    {NoteCode::small_set_asked, "small_set_asked",
     "--memory-set: {b} per cluster instead of the default working set of {b}"},
    {NoteCode::large_set_asked, "large_set_asked", "--memory-set: {b} per cluster, the default is {b}"},
    {NoteCode::partly_in_caches, "partly_in_caches",
     "partly in the caches: give {b} or more to measure memory alone"},
    {NoteCode::side_cache_holds, "side_cache_holds",
     "node {id} has a memory-side cache of {.0} MiB, which can hold this working set"},
    {NoteCode::side_cache_exceeded, "side_cache_exceeded",
     "node {id} has a memory-side cache of {.0} MiB, which cannot hold this working set"},
    {NoteCode::not_bound, "not_bound", "{}: {}; pages lie where they were first touched"},
    {NoteCode::mostly_of_cache, "mostly_of_cache",
     "all parts together take {b}, and the cluster's last-level cache holds {b}: the figures are mostly of "
     "the "
     "cache, not of the memory, so there is no advice on moving data; take a larger graph"},
    {NoteCode::cache_may_hold_part, "cache_may_hold_part",
     "{}: the last cache may hold a part of the data, and memory itself may be slower"},
    {NoteCode::smaller_buffers_may_be_held, "smaller_buffers_may_be_held",
     "free memory was short and the buffers were smaller: the last cache may hold a part of the data, and "
     "memory "
     "itself may be slower"},
    {NoteCode::idle_clock, "idle_clock",
     "{.1} ns when the machine was idle and its core clock or uncore was slow; this is the latency at {.1} "
     "GB/s "
     "of load, which raises the clocks"},
    {NoteCode::falls_with_load, "falls_with_load",
     "falls to {.1} ns at {.1} GB/s of load: core clock or uncore are slow while the machine is nearly idle"},
    {NoteCode::other_state, "other_state",
     "not measured while the machine was in its {} state, as other figures were"},
    {NoteCode::two_states, "two_states",
     "the machine had two states while it was measured; this is the figure of the {} one, and its interval "
     "contains both. On a virtual machine, the host may have moved the CPUs from one chip to another"},
    {NoteCode::crowded_visits, "crowded_visits",
     "another hardware thread, perhaps of another guest, used the cores in {.0} of {.0} visits"},
    {NoteCode::not_measured_there, "not_measured_there", "not measured in the other folder"},
    {NoteCode::measured_otherwise, "measured_otherwise",
     "the other folder has this figure with another kernel, page size or working set"},
    {NoteCode::other_threads_there, "other_threads_there",
     "the other folder has it with other threads: {} instead of {}"},
};
static_assert(is_in_order(note_rows));
constexpr std::span<const NoteRow> table(NoteCode) {
  return note_rows;
}

}  // namespace gable::model
