#include "points/valgrind/profile/records.h"

#include <pub_tool_debuginfo.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_oset.h>
#include <pub_tool_xarray.h>

static OSet* by_key;     // Entry
static XArray* records;  // Record*, in order
static OSet* lines;      // PlaceEntry
static XArray* places;   // Place*, in order

typedef struct {
  Record* record;
} Entry;

typedef struct {
  Place* place;
} PlaceEntry;

static Word order(UWord a, UWord b) {
  return a < b ? -1 : a > b;
}

static Word compare_records(const void* key, const void* element) {
  const Record* const a = ((const Entry*)key)->record;
  const Record* const b = ((const Entry*)element)->record;
  const Word by_place = order((UWord)a->place, (UWord)b->place);
  if (by_place) return by_place;
  const Word by_object = order((UWord)a->object, (UWord)b->object);
  return by_object ? by_object : order(a->region, b->region);
}

static Word compare_places(const void* key, const void* element) {
  const Place* const a = ((const PlaceEntry*)key)->place;
  const Place* const b = ((const PlaceEntry*)element)->place;
  const Word by_function = order((UWord)a->function, (UWord)b->function);
  if (by_function) return by_function;
  const Word by_line = order(a->line, b->line);
  if (by_line || !a->file || !b->file) return by_line;
  return VG_(strcmp)(a->file, b->file);
}

void records_initialize(void) {
  by_key = VG_(OSetGen_Create)(0, compare_records, VG_(malloc), "gable.records", VG_(free));
  records = VG_(newXA)(VG_(malloc), "gable.records", VG_(free), sizeof(Record*));
  if (lines) return;
  lines = VG_(OSetGen_Create)(0, compare_places, VG_(malloc), "gable.places", VG_(free));
  places = VG_(newXA)(VG_(malloc), "gable.places", VG_(free), sizeof(Place*));
}

void records_forget(void) {
  for (Word i = 0; i < records_count(); ++i) {
    Record* const record = *(Record**)VG_(indexXA)(records, i);
    if (record->all) VG_(free)(record->all->depths);
    VG_(free)(record->all);
    VG_(free)(record->own.depths);
    VG_(free)(record);
  }
  VG_(deleteXA)(records);
  VG_(OSetGen_Destroy)(by_key);
  records_initialize();
}

Record* record_of(Place* place, Object* object, UInt region) {
  Record wanted;  // only its key is set
  wanted.place = place;
  wanted.object = object;
  wanted.region = region;
  const Entry key = {&wanted};
  Entry* known = VG_(OSetGen_Lookup)(by_key, &key);
  if (known) return known->record;
  known = VG_(OSetGen_AllocNode)(by_key, sizeof *known);
  known->record = VG_(calloc)("gable.record", 1, sizeof(Record));
  known->record->place = place;
  known->record->object = object;
  known->record->region = region;
  VG_(OSetGen_Insert)(by_key, known);
  known->record->number = VG_(addToXA)(records, &known->record);
  return known->record;
}

Reuse* reuse_of(Record* record, Bool is_all) {
  if (!is_all) return &record->own;
  if (!record->all) record->all = VG_(calloc)("gable.all", 1, sizeof(Reuse));
  return record->all;
}

Depths* depths_of(Record* record, Bool is_all, UInt index) {
  Reuse* const reuse = reuse_of(record, is_all);
  if (!reuse->depths) reuse->depths = VG_(calloc)("gable.depths", set_counts, sizeof(Depths));
  return &reuse->depths[index];
}

void records_begin_all(void) {
  for (Word i = 0; i < records_count(); ++i) {
    Record* const record = *(Record**)VG_(indexXA)(records, i);
    Reuse* const all = reuse_of(record, True);
    *all = record->own;
    if (!all->depths) continue;
    all->depths = VG_(malloc)("gable.depths", set_counts * sizeof(Depths));
    VG_(memcpy)(all->depths, record->own.depths, set_counts * sizeof(Depths));
  }
}

Place* place_at(Addr code, Function* function, Bool by_line) {
  Place wanted = {.function = function};
  const HChar *file, *folder;
  UInt line;
  if (by_line && VG_(get_filename_linenum)(VG_(current_DiEpoch)(), code, &file, &folder, &line)) {
    wanted.file = file;
    wanted.line = line;
  }
  const PlaceEntry key = {&wanted};
  PlaceEntry* known = VG_(OSetGen_Lookup)(lines, &key);
  if (known) return known->place;
  known = VG_(OSetGen_AllocNode)(lines, sizeof *known);
  known->place = VG_(malloc)("gable.place", sizeof(Place));
  *known->place = wanted;
  if (wanted.file) known->place->file = VG_(strdup)("gable.place", wanted.file);
  known->place->number = VG_(addToXA)(places, &known->place);
  VG_(OSetGen_Insert)(lines, known);
  return known->place;
}

Word records_count(void) {
  return VG_(sizeXA)(records);
}

Record* record_at(Word index) {
  return *(Record**)VG_(indexXA)(records, index);
}

Word places_count(void) {
  return VG_(sizeXA)(places);
}

const Place* place_number(Word index) {
  return *(Place**)VG_(indexXA)(places, index);
}

// Returns in which quarter of an octave the distance, at least 1, lies. The quarters begin at 1, 2^(1/4),
// 2^(1/2), 2^(3/4), 2 and so on.
static UInt quarters_of(double distance) {
  enum { mantissa_bits = 52, bias = 1023 };
  union {
    double value;
    ULong bits;
  } part = {distance};
  const UInt octave = (part.bits >> mantissa_bits) - bias;
  part.bits -= (ULong)octave << mantissa_bits;  // now it is at least 1 and less than 2
  const UInt quarter =
      (part.value >= 1.189207115) + (part.value >= 1.414213562) + (part.value >= 1.681792831);
  return 4 * octave + quarter;
}

UInt bucket_of(double distance) {
  if (distance < 1) return 0;
  const UInt bucket = 1 + quarters_of(distance);
  return bucket < NEVER ? bucket : NEVER - 1;
}

UInt depth_bucket_of(ULong depth) {
  if (depth < exact_depths) return depth;
  const UInt bucket = quarters_of(depth);  // that of 16 is 16
  return bucket < NEVER_DEEP ? bucket : NEVER_DEEP - 1;
}
