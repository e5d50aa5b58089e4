#include "points/valgrind/profile/reuse/sets.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/profile/reuse/recency.h"
#include "points/valgrind/profile/reuse/sampling.h"
#include "points/valgrind/profile/reuse/set.h"

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

// What is known of a line of a class or a set.
typedef struct {
  UInt writer;     // the number of the record of the last write
  Int dirty_from;  // its content is dirty in caches of more ways than this; -1: it is clean
} State;

static State state_of(Held held) {
  return (State){writer_of(held), dirty_from(held)};
}

// Counts the line as written back by caches that have more than `dirty_from` ways, and at most as many as
// bucket `to` says.
static void write_back(State line, Bool is_all, UInt index, UInt to) {
  if (line.dirty_from < 0) return;
  Depths* const depths = depths_of(record_at(line.writer), is_all, index);
  depths->written_back[depth_bucket_of(line.dirty_from)] += followed.weight_of_class;
  depths->written_back[to] -= followed.weight_of_class;
}

// A use of a line: by whom, and what it does.
typedef struct {
  Record* record;
  UWord line;
  Bool is_write, is_all;
  Order order;
  UInt writes_before, writes_after;  // of all threads to the line
  Bool is_taken;                     // another thread has written the line since
} Use;

// Counts the use at this depth, or -1 if the line is not there, and returns what is known of the line now.
static State take(State line, Int depth, UInt index, const Use* use) {
  const Bool is_taken = depth >= 0 && use->is_taken;
  const UInt bucket = depth < 0 ? NEVER_DEEP : is_taken ? SHARED_DEEP : depth_bucket_of(depth);
  if (bucket > 0)
    depths_of(use->record, use->is_all, index)->fetched[use->order][use->is_write][bucket] +=
        followed.weight_of_class;
  if (is_taken) {
    write_back(line, use->is_all, index, depth_buckets);
    line.dirty_from = -1;
  } else if (line.dirty_from >= 0 && depth > line.dirty_from) {
    write_back(line, use->is_all, index, bucket);
    line.dirty_from = depth;
  }
  return use->is_write ? (State){use->record->number, 0} : line;
}

// The set of the line for this index into `sets_of`, from 1 on.
static Set* set_of(Class* of, UInt index, UWord line) {
  // Each number of sets after 256 is twice the one before, so the sum of all numbers before it is this number
  // minus 256.
  const UInt count = sets_of[index] / classes, before = count - 256 / classes;
  return &of->sets[before + line / classes % count];
}

static ULong set_tag(UWord line) {
  return tag_of(held_clean(line / sets_of[1] + 1));
}

// Whether a use of the last used line of a set leaves it as it is: a read, or a write by the record that
// wrote it last if it was the last used line at all uses since.
static Bool is_repeated(const Use* use, Held line) {
  return !use->is_taken &&
         (!use->is_write || (writer_of(line) == use->record->number && dirty_from(line) == 0));
}

static void use_sets(Class* of, const Use* use) {
  const ULong tag = set_tag(use->line);
  for (UInt i = 1; i < set_counts; ++i) {
    Set* const set = set_of(of, i, use->line);
    Held left;
    const Int depth = set_use(set, tag, &left);
    // Each set of a larger cache has a part of these lines, so the same is true there.
    if (depth == 0 && is_repeated(use, set->lines[0])) return;
    write_back(state_of(left), use->is_all, i, depth_buckets);
    const State now = take(state_of(set->lines[0]), depth, i, use);
    set->lines[0] = now.dirty_from < 0 ? held_clean(tag) : held_dirty(tag, now.writer, now.dirty_from);
  }
}

static Class* drops_from;
static Bool drops_all;

// The line leaves all sets.
static void drop_line(Used* used, UWord since) {
  (void)since;
  const UWord line = used->key - 1;
  write_back((State){used->writer, used->dirty_from}, drops_all, 0, depth_buckets);
  for (UInt i = 1; i < set_counts; ++i) {
    const Held out = set_take_out(set_of(drops_from, i, line), set_tag(line));
    write_back(state_of(out), drops_all, i, depth_buckets);
  }
}

static void use_class(Class* of, Use* use) {
  if (recency_count(of->lines) >= most_lines) {
    drops_from = of;
    drops_all = use->is_all;
    recency_drop(of->lines, most_lines / 2, drop_line);
  }
  Long depth;
  Used* const used = recency_use(of->lines, use->line, &depth);
  use->is_taken = used->writes != use->writes_before;
  const State now = take((State){used->writer, used->dirty_from}, depth, 0, use);
  used->writer = now.writer;
  used->dirty_from = now.dirty_from;
  used->writes = use->writes_after;
  if (!use->is_all && (depth < 0 || depth >= 8)) ++deep[class_of(use->line)];
  use_sets(of, use);
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
  drops_from = of;
  drops_all = is_all;
  drop_line(used, 0);
  used->dirty_from = -1;
}

void sets_stream(UWord line) {
  if (of_all) leave(class_in(of_all, line), True, line);
  leave(class_in(of_running, line), False, line);
}

static void finish_line(State line, Int depth, UInt index) {
  if (depth > line.dirty_from) write_back(line, drops_all, index, depth_bucket_of(depth));
}

static void finish_used(Used* used, UWord since) {
  finish_line((State){used->writer, used->dirty_from}, since, 0);
}

static void finish(Class** of, Bool is_all) {
  if (!*of) return;
  drops_all = is_all;
  recency_each((*of)->lines, finish_used);
  const Set* set = (*of)->sets;
  for (UInt i = 1; i < set_counts; ++i) {
    for (UInt j = 0; j < sets_of[i] / classes; ++j, ++set) {
      for (UInt at = 0; at < most_depth && set->lines[at]; ++at) finish_line(state_of(set->lines[at]), at, i);
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
