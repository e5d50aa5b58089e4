#include "points/valgrind/profile/reuse/uses.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/profile/gaps.h"
#include "points/valgrind/profile/reuse/recency.h"
#include "points/valgrind/profile/reuse/sampling.h"

static XArray* of_threads;   // Recency*, by number; the first is of all threads while there is only one
static Recency* of_running;  // the running thread's
static Recency* of_all;      // NULL while there is only one thread
static UInt whose;
static double shared[most_sharing_threads][most_sharing_threads];

static Recency** of_thread(UInt number) {
  while (VG_(sizeXA)(of_threads) <= (Word)number) {
    Recency* const made = recency_new(lines_at_first);
    VG_(addToXA)(of_threads, &made);
  }
  return VG_(indexXA)(of_threads, number);
}

void uses_begin(void) {
  of_threads = VG_(newXA)(VG_(malloc), "gable.uses", VG_(free), sizeof(Recency*));
  of_all = NULL;
  whose = 0;
  of_running = *of_thread(whose);
  VG_(memset)(shared, 0, sizeof shared);
  gaps_begin();
}

void uses_forget(void) {
  for (Word i = 0; i < VG_(sizeXA)(of_threads); ++i) recency_free(*(Recency**)VG_(indexXA)(of_threads, i));
  VG_(deleteXA)(of_threads);
  if (of_all) recency_free(of_all);
  gaps_end();
  uses_begin();
}

void uses_switch(UInt number) {
  whose = number;
  of_running = *of_thread(whose);
  gaps_switch(number);
  if (number == 0 || of_all) return;
  of_all = recency_copy(*of_thread(0));
  records_begin_all();
}

UWord uses_most(void) {
  UWord most = of_all ? recency_count(of_all) : 0;
  for (Word i = 0; i < VG_(sizeXA)(of_threads); ++i) {
    const UWord count = recency_count(*(Recency**)VG_(indexXA)(of_threads, i));
    if (count > most) most = count;
  }
  return most;
}

void uses_keep_followed(void) {
  for (Word i = 0; i < VG_(sizeXA)(of_threads); ++i) {
    recency_keep(*(Recency**)VG_(indexXA)(of_threads, i), follows_line);
  }
  if (of_all) recency_keep(of_all, follows_line);
}

// A followed line stands for several, and lies in the middle of them.
static double scaled(UWord lines_between) {
  return lines_between ? (lines_between + 0.5) * followed.weight_of_line - 0.5 : 0;
}

// The line's content is written back from caches of more than `dirty_from` lines that hold fewer than bucket
// `to` says.
static void write_back(const Used* used, Bool is_all, UInt to) {
  Reuse* const reuse = reuse_of(record_at(used->writer), is_all);
  const float lines = followed.weight_of_line;
  reuse->written_back[bucket_of(used->dirty_from)] += lines;
  reuse->written_back[to] -= lines;
}

// Counts an access for each other thread that accessed the line before.
static void share(Used* used, const Record* record) {
  if (whose >= most_sharing_threads || record->object->kind == STACK) return;
  for (ULong others = used->users & ~(1ULL << whose); others; others &= others - 1) {
    shared[whose][__builtin_ctzll(others)] += followed.weight_of_line;
  }
  used->users |= 1ULL << whose;
}

double uses_shared(UInt one, UInt other) {
  return shared[one][other];
}

static UWord shared_lines;

static void count_shared(Used* used, UWord since) {
  (void)since;
  shared_lines += (used->users & (used->users - 1)) != 0;
}

UWord uses_shared_lines(void) {
  shared_lines = 0;
  if (of_all) recency_each(of_all, count_shared);
  return shared_lines;
}

// A use of a line: by whom, and what it does.
typedef struct {
  Record* record;
  UWord line;
  Bool is_write;
  Order order;
  UInt writes_before, writes_after;  // of all threads to the line
} Use;

// Returns the bucket of its distance.
static UInt add(Recency* recency, Bool is_all, const Use* use) {
  Long between;
  Used* const used = recency_use(recency, use->line, &between);
  if (is_all || !of_all) share(used, use->record);
  const Bool is_first = between < 0, is_taken = !is_first && used->writes != use->writes_before;
  const double distance = is_first ? 0 : scaled(between);
  const UInt bucket = is_first ? NEVER : is_taken ? SHARED : bucket_of(distance);
  Reuse* const reuse = reuse_of(use->record, is_all);
  reuse->fetched[use->order][use->is_write][bucket] += followed.weight_of_line;
  if (use->order == INDEPENDENT && !use->is_write) gaps_add(reuse, is_all, bucket);
  if (used->dirty_from >= 0 && is_taken) {
    write_back(used, is_all, buckets);
    used->dirty_from = -1;
  } else if (used->dirty_from >= 0 && distance > used->dirty_from) {
    write_back(used, is_all, bucket);
    used->dirty_from = distance;
  }
  if (use->is_write) {
    used->dirty_from = 0;
    used->writer = use->record->number;
  }
  used->writes = use->writes_after;
  return bucket;
}

static UInt chain_bucket(ULong length) {
  const UInt bucket = 63 - __builtin_clzll(length);
  return bucket < chain_lengths ? bucket : chain_lengths - 1;
}

void uses_add(Record* record, UWord line, Bool is_write, Order order, const Origin* origin) {
  Use use = {.record = record, .line = line, .is_write = is_write, .order = order};
  if (of_all) {
    // A line that another thread has written since is no longer in this thread's own caches.
    const Used* const known = recency_find(of_all, line);
    use.writes_before = known ? known->writes : 0;
    use.writes_after = use.writes_before + is_write;
    add(of_all, True, &use);
  }
  const UInt bucket = add(of_running, False, &use);
  if (order == CHAINED && bucket > 0)
    record->chains[chain_bucket(chain_length(origin))] += followed.weight_of_line;
}

// Stores to one line are combined before they leave the core, in a few buffers.
static Bool is_combined(UWord line) {
  enum { buffers_of_core = 8 };
  static UWord latest[buffers_of_core];
  static UInt next;
  for (UInt i = 0; i < buffers_of_core; ++i) {
    if (latest[i] == line) return True;
  }
  latest[next++ % buffers_of_core] = line;
  return False;
}

static void leave(Recency* recency, Bool is_all, Record* record, UWord line) {
  Used* const used = recency_leave(recency, line);
  if (is_all || !of_all) share(used, record);
  ++used->writes;
  if (used->dirty_from >= 0) write_back(used, is_all, buckets);
  used->dirty_from = -1;
}

void uses_stream(Record* record, UWord line) {
  if (!is_combined(line)) record->streamed += followed.weight_of_line;
  if (of_all) leave(of_all, True, record, line);
  leave(of_running, False, record, line);
}

static Bool finishes_all;

static void finish(Used* used, UWord since) {
  if (used->dirty_from < 0) return;
  const double distance = scaled(since);
  if (distance > used->dirty_from) write_back(used, finishes_all, bucket_of(distance));
  used->dirty_from = -1;
}

void uses_finish(void) {
  finishes_all = False;
  for (Word i = 0; i < VG_(sizeXA)(of_threads); ++i)
    recency_each(*(Recency**)VG_(indexXA)(of_threads, i), finish);
  finishes_all = True;
  if (of_all) recency_each(of_all, finish);
}
