#include "points/valgrind/profile/profile.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_threadstate.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/profile/contests.h"
#include "points/valgrind/profile/reuse/pages.h"
#include "points/valgrind/profile/reuse/recency.h"
#include "points/valgrind/profile/reuse/sampling.h"
#include "points/valgrind/profile/reuse/sets.h"
#include "points/valgrind/profile/reuse/uses.h"
#include "points/valgrind/profile/streams.h"
#include "points/valgrind/profile/turns.h"
#include "points/valgrind/tally.h"

ProfileOptions profile = {.lines = 1 << 20, .turn = 4096};
Followed followed;
Limits limits;

// The calls below are dear, so after so many of them half of the lines are followed, and so on, down to one
// line of `least_share`. Fewer are followed only if there are too many lines. The number of followed classes
// of sets falls in the same way.
enum { most_calls = 1 << 21, least_share = 64, least_classes = 2 };

static XArray* sites;  // Site*
static UInt region_now, thread_now;
static UInt region_shift;      // of streams; computed when the thresholds change
static ULong calls;            // since the thresholds changed
static Bool has_turns;         // there are several threads
static GuestState* guest_now;  // of the running thread; NULL until its first access
static double accesses_alone;  // while there was one thread

// At least a page, and as many as contain eight lines that are followed.
static UInt shift_of_region(const Followed* now) {
  enum { enough = 8 };
  const double followed_of_page =
      classes * ((double)now->lines / (1ULL << hash_bits) + (double)now->class_count / classes);
  UInt shift = page_shift - line_shift;
  for (double lines = followed_of_page; lines < enough; lines *= 2) ++shift;
  return shift;
}

// Instrumented code passes on what is followed, or everything.
static void set_limits(void) {
  const ULong all = 1ULL << hash_bits;
  const Bool is_all = contests_are_watched;
  limits.lines = (is_all ? all : followed.lines) << (63 - hash_bits);
  limits.pages = (is_all ? all : followed.pages) << (63 - hash_bits);
  limits.classes = is_all ? -1ULL : 0;
  for (UInt i = 0; i < classes; ++i) limits.classes |= (followed.classes >> i & 1) << (classes - 1 - i);
}

static void follow(Followed now) {
  followed = now;
  followed.weight_of_line = (double)(1ULL << hash_bits) / now.lines;
  followed.weight_of_page = (double)(1ULL << hash_bits) / now.pages;
  followed.weight_of_class = (double)classes / now.class_count;
  region_shift = shift_of_region(&now);
  set_limits();
}

static void follow_all(void) {
  follow((Followed){
      .lines = 1ULL << hash_bits, .pages = 1ULL << hash_bits, .classes = -1ULL, .class_count = classes});
}

void profile_begin(void) {
  follow_all();
  sites = VG_(newXA)(VG_(malloc), "gable.sites", VG_(free), sizeof(Site*));
  records_initialize();
  objects_initialize();
  uses_begin();
  sets_begin();
  pages_begin();
}

void profile_forget(ThreadId thread) {
  for (Word i = 0; i < profile_sites(); ++i) {
    Site* const site = *(Site**)VG_(indexXA)(sites, i);
    site->guarded = 0;
    site->record = NULL;
    site->share_count = 0;
  }
  contests_forget();
  has_turns = False;
  follow_all();
  calls = 0;
  uses_forget();
  sets_forget();
  pages_forget_all();
  records_forget();
  objects_forget(thread);
}

ULong profile_executed(const Site* site) {
  return site->is_guarded ? site->guarded : site->run->executed;
}

static double accesses_until_now(void) {
  double sum = 0;
  for (Word i = 0; i < profile_sites(); ++i) sum += profile_executed(profile_site_at(i));
  return sum;
}

double profile_contest_weight(void) {
  return has_turns ? contests_weight(accesses_until_now() - accesses_alone) : 0;
}

// Threads run one at a time. Short turns bring the order of their accesses close to that of a parallel run.
static void begin_turn(UInt number) {
  if (!has_turns && tally_threads() > 1) {
    has_turns = True;
    accesses_alone = accesses_until_now();
  }
  turns_begin(number);
  if (!has_turns) return;
  const Bool were_watched = contests_are_watched;
  contests_turn(turns_now(), turns_ready());
  if (contests_are_watched != were_watched) set_limits();
}

void profile_switch(UInt number) {
  guest_now = NULL;
  thread_now = number;
  begin_turn(number);
  sets_switch(number);
  uses_switch(number);
  pages_switch(number);
}

void profile_stop(void) {
  if (guest_now && (Int)guest_now->host_EvC_COUNTER <= 0) turns_end();
}

void profile_enter(UInt region) {
  region_now = region;
}

Site* profile_site(Addr code, Run* run) {
  Site* const site = VG_(calloc)("gable.site", 1, sizeof *site);
  site->run = run;
  site->code = code;
  site->place = place_at(code, run->function, profile.by_line);
  VG_(addToXA)(sites, &site);
  return site;
}

Word profile_sites(void) {
  return VG_(sizeXA)(sites);
}

Site* profile_site_at(Word index) {
  return *(Site**)VG_(indexXA)(sites, index);
}

static Object* object_of(Site* site, Addr address) {
  if (site->version != extents_version || address < site->extent.begin || address >= site->extent.end) {
    site->extent = extent_at(VG_(get_running_tid)(), address);
    site->version = extents_version;
  }
  return site->extent.object;
}

static void add_share(Site* site, Object* object, double weight_of_one) {
  for (UInt i = 0; i < site->share_count; ++i) {
    if (site->shares[i].object != object) continue;
    site->shares[i].weight += weight_of_one;
    return;
  }
  site->shares = VG_(realloc)("gable.shares", site->shares, (site->share_count + 1) * sizeof *site->shares);
  site->shares[site->share_count++] = (Share){object, weight_of_one};
}

Place* profile_place(Site* site) {
  if (site->place->function != site->run->function)
    site->place = place_at(site->code, site->run->function, profile.by_line);
  return site->place;
}

static Record* record_at_site(Site* site, Object* object) {
  Place* const place = profile_place(site);
  if (!site->record || site->record->place != place || site->record->object != object ||
      site->region != region_now) {
    site->record = record_of(place, object, region_now);
    site->region = region_now;
  }
  return site->record;
}

// How many executions in a row were at this distance, as far as is known.
static ULong steps_of(Site* site, Addr address, Long stride) {
  const ULong executed = profile_executed(site), more = executed - site->seen_executed;
  const Bool is_on_way = stride == site->stride && address - site->seen == stride * more;
  site->steps = is_on_way ? site->steps + more : 0;
  site->seen = address;
  site->seen_executed = executed;
  return site->steps;
}

// Accesses that processors prefetch: at a constant distance within a page, to the same line or the next, or
// in one of several streams.
static Order order_of(Site* site, Addr address) {
  enum { near = 128, far = 2048 };
  const Long stride = address - site->last;
  const Bool is_regular =
      (stride >= -near && stride <= near) || (stride == site->stride && stride >= -far && stride <= far);
  const ULong steps = steps_of(site, address, stride);
  site->stride = stride;
  if (is_regular) return SEQUENTIAL;
  if (site->kind == LOADS && chain_length(&site->origin) >= least_chain) return CHAINED;
  if (steps > most_streams) return INDEPENDENT;
  return streams_follow(&site->streams, thread_now, address >> line_shift, region_shift) ? SEQUENTIAL
                                                                                         : INDEPENDENT;
}

static void follow_less(void) {
  Followed less = followed;
  less.lines /= 2;
  follow(less);
  uses_keep_followed();
  calls = 0;
}

static void follow_less_pages(void) {
  Followed less = followed;
  less.pages /= 2;
  follow(less);
  pages_keep_followed();
}

// Keeps `count` classes. If they are few, none of their numbers is a power of two.
static void follow_classes(UInt count) {
  Followed less = followed;
  less.class_count = count;
  less.classes = 0;
  for (UInt i = 0; i < count; ++i) less.classes |= 1ULL << (17 + 45 * i) % classes;
  follow(less);
  sets_keep_followed();
}

enum { calls_of_age = 64 };

// It is called seldom, and must not make its caller save registers.
static __attribute__((noinline)) void limit(void) {
  chains_age();
  while (followed.class_count > 1 && followed.class_count * tally_threads() > most_classes_of_threads)
    follow_classes(followed.class_count / 2);
  while (uses_most() > (UWord)profile.lines) follow_less();
  const ULong least = (1ULL << hash_bits) / least_share;
  if (calls < most_calls) return;
  calls = 0;
  if (followed.lines > least) follow_less();
  if (followed.class_count > least_classes) {
    const UInt fewer = followed.class_count / 4;
    follow_classes(fewer > least_classes ? fewer : least_classes);
  }
  if (followed.pages > least) follow_less_pages();
}

static void take_turn(GuestState* guest) {
  if (guest_now) return;
  guest_now = guest;
  const Int length = turns_length(contests_length(profile.turn));
  if ((Int)guest->host_EvC_COUNTER > length) guest->host_EvC_COUNTER = length;
}

static void watch(Site* site, Addr address) {
  const Contest contest = contests_add(thread_now, address, site->bytes, site->kind != LOADS);
  if (contest == NO_CONTEST) return;
  Record* const record = record_at_site(site, object_of(site, address));
  ++record->contested;
  record->contested_apart += contest == OTHER_BYTES;
}

static void use_line(Site* site, Record* record, Addr address) {
  const UWord line = address >> line_shift;
  const Bool is_strided = (Long)(address - site->last) == site->stride;
  const Order order = order_of(site, address);
  const Bool is_store = site->kind == STORES;
  site->is_unordered = order != SEQUENTIAL;
  if (site->kind == STREAMS) {
    if (follows_class_of(line)) sets_stream(line);
    if (follows_line(line)) uses_stream(record, line);
    return;
  }
  if (follows_class_of(line)) sets_add(record, line, is_store, order);
  if (!follows_line(line)) return;
  uses_add(record, line, is_store, order, &site->origin);
  if (order != INDEPENDENT) return;
  ++record->independent;
  record->strided += is_strided;
}

// Whether the address is in the object of the site's record.
static Bool is_of_record(const Site* site, Addr address) {
  return site->record && site->version == extents_version && address >= site->extent.begin &&
         address < site->extent.end && site->record->object == site->extent.object &&
         site->record->place->function == site->run->function && site->region == region_now;
}

static void add_access(Site* site, Addr address, double weight_of_share) {
  Object* const object = object_of(site, address);
  const UWord line = address >> line_shift, page = address >> page_shift;
  if (weight_of_share > 0) add_share(site, object, weight_of_share);
  if (follows_line(line) || follows_class_of(line)) use_line(site, record_at_site(site, object), address);
  if (follows_page(page)) pages_add(record_at_site(site, object), address, site->kind != LOADS);
}

// Adds an access of which only the page is followed, if it is the page that the thread used last: most are.
static Bool adds_to_last_page(const Site* site, Addr address) {
  return !follows_class_of(address >> line_shift) && is_of_record(site, address) &&
         pages_add_to_last(address, site->kind != LOADS);
}

// Adds an access that need not tell its object. Returns False if there was nothing to add: neither the line
// nor the page is followed, and the class of the line is not (as when all accesses are watched), or the line
// was the last used of its class, so a load has depth 0. This holds for most repeated loads.
static Bool add_followed(Site* site, Addr address) {
  const UWord line = address >> line_shift;
  if (!follows_line(line)) {
    if (follows_page(address >> page_shift)) {
      if (adds_to_last_page(site, address)) return True;
    } else if (!follows_class_of(line) || (site->kind == LOADS && sets_used_last(line))) {
      return False;
    }
  }
  add_access(site, address, 0);
  return True;
}

VG_REGPARM(3) void profile_access(GuestState* guest, Site* site, Addr address) {
  if (has_turns) take_turn(guest);
  const Bool is_exact = followed.lines == 1ULL << hash_bits;
  const Bool is_probe = site->run->executed % probe_every == 0;
  Bool is_added = True;
  if (contests_are_watched) watch(site, address);
  if (is_exact || is_probe) {
    add_access(site, address, is_exact ? 1 : probe_every);
  } else {
    is_added = add_followed(site, address);
  }
  site->last = address;
  if (is_added && ++calls % calls_of_age == 0) limit();
}
