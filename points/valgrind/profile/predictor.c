#include "points/valgrind/profile/predictor.h"

#include <pub_tool_libcbase.h>

enum {
  LENGTHS = 5,
  index_bits = 12,
  target_bits = 9,
  tag_bits = 11,
  past_size = 256,  // more than the longest history
  most_useful = 3,
  most_trust = 7
};

// The latest outcomes, as digits of a number modulo 2^64. The oldest digit leaves it by `leaving`, the base
// to the power of the length.
typedef struct {
  UInt length;
  ULong base, leaving, value;
} History;

// Of a jump after a history.
typedef struct {
  UShort tag;
  UChar times;  // that the target was right, up to 3
  Addr target;
} KnownTarget;

static History histories[LENGTHS];
static Knowledge tables[LENGTHS][1 << index_bits];
static KnownTarget targets[LENGTHS][1 << target_bits];
static UChar past[past_size];  // outcomes
static UInt now;               // index of the next one
static Int trust_in_new;       // below 0 what has learned nothing yet does not predict
static UInt random_state;

static void initialize(void) {
  static const UInt lengths[LENGTHS] = {5, 13, 32, 80, 200};
  for (UInt i = 0; i < LENGTHS; ++i) {
    History* const history = &histories[i];
    *history = (History){.length = lengths[i], .base = 0x9e3779b97f4a7c15u + 2 * i, .leaving = 1};
    for (UInt digit = 0; digit < history->length; ++digit) history->leaving *= history->base;
  }
}

static void remember(Bool taken) {
  if (!histories[0].length) initialize();
#pragma GCC unroll 8
  for (UInt i = 0; i < LENGTHS; ++i) {
    History* const history = &histories[i];
    const ULong oldest = past[(now - history->length) % past_size];
    history->value = history->value * history->base + taken - oldest * history->leaving;
  }
  past[now++ % past_size] = taken;
}

// Where a table would know a branch after the present history.
typedef struct {
  Knowledge* known;
  UShort tag;
} Place;

static ULong hash_of(Int table, UShort name) {
  return (histories[table].value + name * 0xd1342543de82ef95u) * 0xff51afd7ed558ccdu;
}

static UShort tag_of(ULong hash) {
  return 1 + (hash >> (64 - index_bits - tag_bits) & ((1 << tag_bits) - 1));
}

static Place place_of(Int table, UShort name) {
  const ULong hash = hash_of(table, name);
  const UShort tag = tag_of(hash);
  return (Place){&tables[table][hash >> (64 - index_bits)], tag};
}

// What the longest history knows of a branch, and the second longest.
typedef struct {
  Knowledge *longest, *second;
  Int longer;  // table of the next longer history
} Found;

static Found find(PredictedBranch* branch) {
  Found found = {&branch->without, &branch->without, 0};
#pragma GCC unroll 8
  for (Int i = 0; i < LENGTHS; ++i) {
    if (!(branch->tables >> i & 1)) continue;
    const Place place = place_of(i, branch->name);
    const Bool is_hit = place.known->tag == place.tag;
    found.second = is_hit ? found.longest : found.second;
    found.longest = is_hit ? place.known : found.longest;
    found.longer = is_hit ? i + 1 : found.longer;
  }
  return found;
}

// Without branches, which would be mispredicted as often as those of the program.
static Int within(Int value, Int least, Int most) {
  value = value < least ? least : value;
  return value > most ? most : value;
}

static void count(Knowledge* known, Bool taken) {
  known->counter = within(known->counter + 2 * taken - 1, -4, 3);
}

static Bool is_new(const Knowledge* known) {
  return known->tag && known->useful == 0 && (known->counter == 0 || known->counter == -1);
}

static Bool random_bit(void) {
  random_state = random_state * 1664525 + 1013904223;
  return random_state >> 31;
}

// A longer history learns the branch, mostly the next longer one that has room.
static void allocate(PredictedBranch* branch, Int longer, Bool taken) {
  Bool has_room = False;
  for (Int i = longer; i < LENGTHS; ++i) {
    const Place place = place_of(i, branch->name);
    if (place.known->useful > 0) continue;
    has_room = True;
    if (i + 1 < LENGTHS && random_bit()) continue;
    *place.known = (Knowledge){place.tag, taken ? 0 : -1, 0};
    branch->tables |= 1 << i;
    return;
  }
  for (Int i = longer; !has_room && i < LENGTHS; ++i) --place_of(i, branch->name).known->useful;
}

static Bool predict(PredictedBranch* branch, Bool taken) {
  const Found found = find(branch);
  const Bool first = found.longest->counter >= 0, second = found.second->counter >= 0;
  const Bool may_trust = is_new(found.longest);
  const Bool is_wrong = (may_trust && trust_in_new < 0 ? second : first) != taken;
  const Int better = (first == taken) - (second == taken);  // the first one than the second
  if (may_trust) trust_in_new = within(trust_in_new + better, -most_trust - 1, most_trust);
  if (found.longest->useful == 0 && found.second != found.longest) count(found.second, taken);
  count(found.longest, taken);
  found.longest->useful = within(found.longest->useful + better, 0, most_useful);
  if (is_wrong) allocate(branch, found.longer, taken);
  return is_wrong;
}

Bool predictor_mispredicts(PredictedBranch* branch, Bool taken) {
  Bool is_wrong = False;
  if (!branch->is_known) {
    branch->is_known = True;
    branch->was_taken = taken;
    branch->without.counter = taken ? 0 : -1;
  } else if (branch->takes_both_ways || taken != branch->was_taken) {
    branch->takes_both_ways = True;
    is_wrong = predict(branch, taken);
  }
  remember(taken);
  return is_wrong;
}

static void learn_target(KnownTarget* known, UShort tag, Addr target) {
  if (known->tag == tag && known->target == target) {
    known->times = within(known->times + 1, 0, most_useful);
  } else if (known->times > 0) {
    --known->times;
  } else {
    *known = (KnownTarget){tag, 0, target};
  }
}

// The longest history whose target was right at least once predicts it, otherwise the last target does.
Bool predictor_mispredicts_jump(PredictedJump* jump, Addr target) {
  Addr predicted = jump->target ? jump->target : target;
  for (Int i = 0; i < LENGTHS; ++i) {
    const ULong hash = hash_of(i, jump->name);
    const UShort tag = tag_of(hash);
    KnownTarget* const known = &targets[i][hash >> (64 - target_bits)];
    if (jump->target && known->tag == tag && known->times > 0) predicted = known->target;
    learn_target(known, tag, target);
  }
  jump->target = target;
  const UInt bits = (target >> 4 ^ target >> 8) * 0x9e3779b1u >> 30;
  remember(bits & 1);
  remember(bits >> 1);
  return predicted != target;
}

void predictor_forget(void) {
  VG_(memset)(histories, 0, sizeof histories);
  VG_(memset)(tables, 0, sizeof tables);
  VG_(memset)(targets, 0, sizeof targets);
  VG_(memset)(past, 0, sizeof past);
  trust_in_new = 0;
  random_state = 0;
}
