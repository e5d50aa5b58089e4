#pragma once

// The memory profile of a program (docs/programs/profile.md): for each function and object, how far apart in
// cache lines the uses of the same line are.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "guest.h"
#include "points/valgrind/places/runs.h"
#include "points/valgrind/profile/chains.h"
#include "points/valgrind/profile/records.h"
#include "points/valgrind/profile/streams.h"

typedef struct {
  Bool is_on;
  Bool by_line;  // source lines instead of functions
  Int lines;     // followed at most
  Int turn;      // blocks of code after which a thread yields to the next one
} ProfileOptions;

extern ProfileOptions profile;

typedef struct {
  Object* object;
  double weight;
} Share;

typedef enum { LOADS, STORES, STREAMS } SiteKind;  // STREAMS: it stores past the caches

// An access of an instruction.
typedef struct {
  Addr last;  // address of the latest execution; written by instrumented code
  Run* run;
  Addr code;     // of the instruction
  Place* place;  // as of its latest record
  UInt bytes;
  SiteKind kind;
  Bool is_guarded;
  Origin origin;  // of its address
  Streams* streams;
  Long stride;  // between two executions in a row, when it was seen last
  Addr seen;    // address when it was seen last, after `seen_executed` executions
  ULong seen_executed;
  ULong steps;        // at the same stride in a row, as far as is known
  Bool is_unordered;  // its latest access that was followed was not in order
  ULong guarded;      // executions, if it is guarded
  ULong version;      // of `extent`
  Extent extent;
  Record* record;  // of the latest object
  UInt region;     // of that record
  Share* shares;   // of the objects in its executions
  UInt share_count;
} Site;

void profile_begin(void);
void profile_forget(ThreadId thread);  // for a child after fork(), which has this thread alone
void profile_switch(UInt number);      // another thread runs now
void profile_stop(void);               // no thread runs, for a system call or because its turn is over
void profile_enter(UInt region);       // number + 1 of the region that the running thread is in; 0: none

Site* profile_site(Addr code, Run* run);

// How often the instruction accessed memory.
ULong profile_executed(const Site* site);

// How many accesses each stands for that was watched for contests (contests.h).
double profile_contest_weight(void);

// Instrumented code calls this before the accesses that are followed, and before some others so that their
// objects are known.
VG_REGPARM(3) void profile_access(GuestState* guest, Site* site, Addr address);

// One execution of `probe_every` is always seen.
enum { probe_every = 1024 };

// The function or loop that the instruction is in now.
Place* profile_place(Site* site);

Word profile_sites(void);
Site* profile_site_at(Word index);
