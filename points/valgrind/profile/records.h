#pragma once

// What a function (or source line) did to an object, in a region: the entries of a profile.

#include <pub_tool_basics.h>

#include "points/valgrind/profile/objects/objects.h"
#include "points/valgrind/tally.h"

// A function, or a source line of it.
typedef struct {
  Function* function;
  const HChar* file;  // NULL: of the whole function
  UInt line;
  UInt number;
} Place;

// How an access finds its address. Sequential: at a short, constant distance from the last one of the same
// instruction. Chained: by at least two loads before it, each of which waits for the one before. Independent:
// others.
typedef enum { SEQUENTIAL, INDEPENDENT, CHAINED, ORDERS } Order;

// Reuse distances in lines, in quarters of an octave: bucket 0 is distance 0, bucket b >= 1 begins at
// 2^((b-1)/4).
enum {
  octaves = 30,
  NEVER = 1 + 4 * octaves,
  SHARED,
  buckets
};  // NEVER: first use. SHARED: another thread wrote it

UInt bucket_of(double distance);

// The depth of a use is how many other lines of the same set were used since the last use. Each depth below
// 16 has a bucket. Larger depths have buckets of a quarter of an octave, up to 2^18.
enum {
  exact_depths = 16,
  depth_octaves = 14,
  NEVER_DEEP = exact_depths + 4 * depth_octaves,
  SHARED_DEEP,
  depth_buckets
};

UInt depth_bucket_of(ULong depth);

typedef struct {
  double fetched[ORDERS][2][depth_buckets];  // those of depth 0 are left out
  double written_back[depth_buckets + 1];
} Depths;

enum { set_counts = 5 };
extern const UInt sets_of[set_counts];

// Numbers of lines, scaled from those that are followed.
typedef struct {
  float fetched[ORDERS][2][buckets];  // by order, and by read or write
  float written_back[buckets + 1];    // differences: caches from this bucket's size on write back more lines
  double near[octaves];  // instructions near independent reads of at least this distance (gaps.h)
  Depths* depths;        // for each number of sets; NULL: none yet
} Reuse;

enum { chain_lengths = 32 };  // by powers of two

typedef struct {
  UInt number;
  Place* place;
  Object* object;
  UInt region;                  // number + 1 of the innermost region; 0: none
  Reuse own;                    // of each thread by itself
  Reuse* all;                   // of all threads together; NULL: as `own`
  float streamed;               // lines stored past the caches
  float pages[2][buckets];      // distances in pages of 4 KiB and of 2 MiB
  float chains[chain_lengths];  // fetched lines by the length of the chain of loads that led to them
  ULong independent;            // followed accesses of this order
  ULong strided;                // of these: as far from the one before as that from its own
  ULong contested;              // watched accesses that contest their line (contests.h)
  ULong contested_apart;        // of these: threads use different bytes of the line
} Record;

void records_initialize(void);
void records_forget(void);

// The record, which is created at its first use.
Record* record_of(Place* place, Object* object, UInt region);
// Returns the counts by each thread or, if `is_all`, by all threads together. The latter are created at the
// first use.
Reuse* reuse_of(Record* record, Bool is_all);
Depths* depths_of(Record* record, Bool is_all, UInt index);

// Copies the counts of the first thread to those of all threads. It is called when a second thread starts.
void records_begin_all(void);

Place* place_at(Addr code, Function* function, Bool by_line);

Word records_count(void);
Record* record_at(Word index);
Word places_count(void);
const Place* place_number(Word index);
