#include "points/valgrind/profile/sets.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/profile/recency.h"
#include "points/valgrind/profile/sampling.h"
#include "points/valgrind/profile/set.h"

// With 64 sets, every depth is recorded, because a larger cache that is indexed by physical addresses divides
// each of these sets according to where pages lie in memory. With more sets, only depths below `most_depth`
// are recorded.
const UInt sets_of[set_counts] = {classes, 256, 512, 1024, 2048};
enum { most_lines = 1 << 17, lists_of_class = (256 + 512 + 1024 + 2048) / classes };

// A class has the lines of one of 64 sets, and the sets of larger caches among which these lines are divided.
typedef struct {
  UWord latest;           // key of the line used last
  UInt user;              // the thread that used it
  const Record* written;  // the record that wrote it last, if only that thread used the class since
  Recency* lines;
  Set sets[lists_of_class];
} Class;

typedef struct {
  Class* of[classes];
} Caches;

static XArray* of_threads;  // Caches, by number; the first is of all threads while there is only one
static Caches* of_running;  // the running thread's
static Caches* of_all;      // NULL while there is only one thread
static UInt whose;
static ULong deep[classes];  // uses by a thread at a depth of 8 or more among 64 sets

static Caches* of_thread(UInt number) {
  const Caches none = {{NULL}};
  while (VG_(sizeXA)(of_threads) <= (Word)number) VG_(addToXA)(of_threads, &none);
  return VG_(indexXA)(of_threads, number);
}

void sets_begin(void) {
  of_threads = VG_(newXA)(VG_(malloc), "gable.sets", VG_(free), sizeof(Caches));
  of_all = NULL;
  whose = 0;
  of_running = of_thread(whose);
  VG_(memset)(deep, 0, sizeof deep);
}

static void free_class(Class** of) {
  if (*of) recency_free((*of)->lines);
  VG_(free)(*of);
  *of = NULL;
}

// Visits the classes of each thread, and those of all threads together.
static void for_each(void (*visit)(Class** of, Bool is_all)) {
  for (Word i = 0; i < VG_(sizeXA)(of_threads); ++i) {
    for (UInt j = 0; j < classes; ++j) visit(&of_thread(i)->of[j], False);
  }
  for (UInt j = 0; of_all && j < classes; ++j) visit(&of_all->of[j], True);
}

static void drop(Class** of, Bool is_all) {
  (void)is_all;
  free_class(of);
}

void sets_forget(void) {
  for_each(drop);
  VG_(deleteXA)(of_threads);
  VG_(free)(of_all);
  sets_begin();
}

static void begin_all(void) {
  of_all = VG_(calloc)("gable.sets", 1, sizeof *of_all);
  for (UInt i = 0; i < classes; ++i) {
    const Class* const from = of_thread(0)->of[i];
    if (!from) continue;
    of_all->of[i] = VG_(malloc)("gable.sets", sizeof(Class));
    *of_all->of[i] = *from;
    of_all->of[i]->lines = recency_copy(from->lines);
  }
}

void sets_switch(UInt number) {
  whose = number;
  of_running = of_thread(whose);
  if (number > 0 && !of_all) begin_all();
}

void sets_keep_followed(void) {
  for (Word i = 0; i < VG_(sizeXA)(of_threads); ++i) {
    for (UInt j = 0; j < classes; ++j) {
      if (!follows_class_of(j)) free_class(&of_thread(i)->of[j]);
    }
  }
  for (UInt j = 0; of_all && j < classes; ++j) {
    if (!follows_class_of(j)) free_class(&of_all->of[j]);
  }
}

static Class* class_in(Caches* caches, UWord line) {
  Class** const of = &caches->of[class_of(line)];
  if (*of) return *of;
  *of = VG_(calloc)("gable.sets", 1, sizeof(Class));
  (*of)->lines = recency_new(16);
  return *of;
}

static double lines_of_class(void) {
  return (double)classes / followed.class_count;
}

// Counts the line as written back by caches that have more than `dirty_from` ways, and at most as many as
// bucket `to` says.
static void write_back(const Held* held, Bool is_all, UInt index, UInt to) {
  Depths* const depths = depths_of(held->writer, is_all, index);
  depths->written_back[depth_bucket_of(held->dirty_from)] += lines_of_class();
  depths->written_back[to] -= lines_of_class();
}

// A use of a line: by whom, and what it does.
typedef struct {
  Record* record;
  UWord line;
  Bool is_write, is_all;
  Order order;
  UInt writes_before, writes_after;  // of all threads to the line
} Use;

// `depth` is -1 if the line is not there.
static void take(Held* held, Long depth, UInt index, const Use* use) {
  const Bool is_taken = depth >= 0 && held->writes != use->writes_before;
  const UInt bucket = depth < 0 ? NEVER_DEEP : is_taken ? SHARED_DEEP : depth_bucket_of(depth);
  if (bucket > 0)
    depths_of(use->record, use->is_all, index)->fetched[use->order][use->is_write][bucket] +=
        lines_of_class();
  if (held->dirty_from >= 0 && is_taken) {
    write_back(held, use->is_all, index, depth_buckets);
    held->dirty_from = -1;
  } else if (held->dirty_from >= 0 && depth > held->dirty_from) {
    write_back(held, use->is_all, index, bucket);
    held->dirty_from = depth;
  }
  if (use->is_write) {
    held->dirty_from = 0;
    held->writer = use->record;
  }
  held->writes = use->writes_after;
}

// The set of the line for this index into `sets_of`, from 1 on.
static Set* set_of(Class* of, UInt index, UWord line) {
  // Each number of sets after 256 is twice the one before, so the sum of all numbers before it is this number
  // minus 256.
  const UInt count = sets_of[index] / classes, before = count - 256 / classes;
  return &of->sets[before + line / classes % count];
}

static void use_set(Set* set, UInt index, const Use* use) {
  Long depth;
  Held left;
  Held* const held = set_use(set, use->line + 1, &depth, &left);
  if (left.dirty_from >= 0) write_back(&left, use->is_all, index, depth_buckets);
  take(held, depth, index, use);
}

static Bool drops_all;

static void write_back_dropped(Used* used, UWord since) {
  (void)since;
  const Held held = {.writer = used->writer, .dirty_from = used->dirty_from};
  if (held.dirty_from >= 0) write_back(&held, drops_all, 0, depth_buckets);
}

static void use_class(Class* of, const Use* use) {
  if (recency_count(of->lines) >= most_lines) {
    drops_all = use->is_all;
    recency_drop(of->lines, most_lines / 2, write_back_dropped);
  }
  Long depth;
  Used* const used = recency_use(of->lines, use->line, &depth);
  Held held = {.writer = used->writer, .dirty_from = used->dirty_from, .writes = used->writes};
  take(&held, depth, 0, use);
  used->writer = held.writer;
  used->dirty_from = held.dirty_from;
  used->writes = held.writes;
  if (!use->is_all && (depth < 0 || depth >= 8)) ++deep[class_of(use->line)];
  for (UInt i = 1; i < set_counts; ++i) use_set(set_of(of, i, use->line), i, use);
}

static Bool used_last(const Class* of, UWord line) {
  return of && of->latest == line + 1 && of->user == whose;
}

Bool sets_used_last(UWord line) {
  return used_last((of_all ? of_all : of_running)->of[class_of(line)], line);
}

static void remember(Class* of, const Use* use) {
  if (!used_last(of, use->line)) of->written = NULL;
  of->latest = use->line + 1;
  of->user = whose;
  if (use->is_write) of->written = use->record;
}

void sets_add(Record* record, UWord line, Bool is_write, Order order) {
  Class* const own = class_in(of_running, line);
  Class* const all = of_all ? class_in(of_all, line) : NULL;
  Use use = {.record = record, .line = line, .is_write = is_write, .order = order};
  Class* const seen = all ? all : own;
  // The line has depth 0 in all sets. A write changes nothing if the same record wrote the line last.
  if (used_last(seen, line) && (!is_write || seen->written == record)) return;
  remember(seen, &use);
  if (all) {
    // A line that another thread has written since is no longer in this thread's own caches.
    const Used* const known = recency_find(all->lines, line);
    use.writes_before = known ? known->writes : 0;
    use.writes_after = use.writes_before + is_write;
    use.is_all = True;
    use_class(all, &use);
    use.is_all = False;
  }
  use_class(own, &use);
}

static void leave(Class* of, Bool is_all, UWord line) {
  of->latest = 0;
  Used* const used = recency_leave(of->lines, line);
  ++used->writes;
  write_back_dropped(used, 0);
  used->dirty_from = -1;
  for (UInt i = 1; i < set_counts; ++i) {
    const Held out = set_take_out(set_of(of, i, line), line + 1);
    if (out.dirty_from >= 0) write_back(&out, is_all, i, depth_buckets);
  }
}

void sets_stream(UWord line) {
  drops_all = True;
  if (of_all) leave(class_in(of_all, line), True, line);
  drops_all = False;
  leave(class_in(of_running, line), False, line);
}

static void finish_held(const Held* held, UWord depth, Bool is_all, UInt index) {
  if (held->dirty_from >= 0 && depth > held->dirty_from)
    write_back(held, is_all, index, depth_bucket_of(depth));
}

static void finish_used(Used* used, UWord since) {
  const Held held = {.writer = used->writer, .dirty_from = used->dirty_from};
  finish_held(&held, since, drops_all, 0);
}

static void finish(Class** of, Bool is_all) {
  if (!*of) return;
  drops_all = is_all;
  recency_each((*of)->lines, finish_used);
  Set* set = (*of)->sets;
  for (UInt i = 1; i < set_counts; ++i) {
    for (UInt j = 0; j < sets_of[i] / classes; ++j, ++set) {
      for (UInt at = 0; at < set->count; ++at) finish_held(set_at(set, at), at, is_all, i);
    }
  }
}

void sets_finish(void) {
  for_each(finish);
}

static double root(double square) {
  double found = 1 + square;
  for (UInt i = 0; i < 60; ++i) found = (found + square / found) / 2;
  return found;
}

double sets_error(void) {
  const double count = followed.class_count;
  double sum = 0, squares = 0;
  for (UInt i = 0; i < classes; ++i) {
    if (!follows_class_of(i)) continue;
    sum += deep[i];
    squares += (double)deep[i] * deep[i];
  }
  const double mean = sum / count;
  if (count == classes || mean == 0) return 0;
  const double variance = (squares / count - mean * mean) * count / (count - 1);
  return root((1 - count / classes) * (variance > 0 ? variance : 0) / count) / mean;
}
