#include "points/valgrind/profile/objects/objects.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_debuginfo.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_oset.h>
#include <pub_tool_threadstate.h>
#include <pub_tool_xarray.h>

#include "guest.h"
#include "points/valgrind/profile/objects/unique_symbols.h"

// Extents that live, by address. Blocks of the heap lie within mappings, so each kind has its own.
static OSet *blocks, *mappings, *statics;
ULong extents_version;
static OSet* known;      // Known
static XArray* objects;  // Object*, in order
static XArray* living;   // ThreadId

typedef struct {
  Object* object;
} Known;

// Extents that overlap count as equal, so a look-up of an address finds the one that contains it.
static Word compare_extents(const void* key, const void* element) {
  const Extent* const a = key;
  const Extent* const b = element;
  return a->end <= b->begin ? -1 : a->begin >= b->end;
}

static Word compare_names(const HChar* a, const HChar* b) {
  if (!a || !b) return (a != NULL) - (b != NULL);
  return VG_(strcmp)(a, b);
}

static Word compare_objects(const void* key, const void* element) {
  const Object* const a = ((const Known*)key)->object;
  const Object* const b = ((const Known*)element)->object;
  if (a->kind != b->kind) return (Word)a->kind - (Word)b->kind;
  if (a->callers != b->callers) return a->callers < b->callers ? -1 : 1;
  const Word names = compare_names(a->name, b->name);
  return names ? names : compare_names(a->image, b->image);
}

void objects_initialize(void) {
  blocks = VG_(OSetGen_Create)(0, compare_extents, VG_(malloc), "gable.blocks", VG_(free));
  mappings = VG_(OSetGen_Create)(0, compare_extents, VG_(malloc), "gable.mappings", VG_(free));
  statics = VG_(OSetGen_Create)(0, compare_extents, VG_(malloc), "gable.statics", VG_(free));
  known = VG_(OSetGen_Create)(0, compare_objects, VG_(malloc), "gable.objects", VG_(free));
  objects = VG_(newXA)(VG_(malloc), "gable.objects", VG_(free), sizeof(Object*));
  living = VG_(newXA)(VG_(malloc), "gable.threads", VG_(free), sizeof(ThreadId));
}

void objects_forget(ThreadId thread) {
  VG_(dropTailXA)(living, VG_(sizeXA)(living));
  object_stack_begins(thread);
  for (Word i = 0; i < objects_count(); ++i) {
    Object* const object = *(Object**)VG_(indexXA)(objects, i);
    object->peak_bytes = object->bytes;
    object->blocks = 0;
  }
}

static ULong now(void) {
  return VG_(read_millisecond_timer)();
}

static Object* object_like(const Object* wanted) {
  const Known key = {(Object*)wanted};
  Known* found = VG_(OSetGen_Lookup)(known, &key);
  if (found) return found->object;
  found = VG_(OSetGen_AllocNode)(known, sizeof *found);
  found->object = VG_(malloc)("gable.object", sizeof(Object));
  *found->object = *wanted;
  if (wanted->name) found->object->name = VG_(strdup)("gable.object", wanted->name);
  if (wanted->image) found->object->image = VG_(strdup)("gable.object", wanted->image);
  found->object->first = now();
  found->object->number = VG_(addToXA)(objects, &found->object);
  VG_(OSetGen_Insert)(known, found);
  return found->object;
}

static void grow(Object* object, SizeT bytes) {
  object->bytes += bytes;
  if (object->bytes > object->peak_bytes) object->peak_bytes = object->bytes;
  object->is_alive = True;
}

static void shrink(Object* object, SizeT bytes) {
  object->bytes = object->bytes > bytes ? object->bytes - bytes : 0;
  object->is_alive = object->bytes > 0;
  object->last = now();
}

static void insert(OSet* set, Addr begin, Addr end, Object* object) {
  Extent* const extent = VG_(OSetGen_AllocNode)(set, sizeof *extent);
  *extent = (Extent){begin, end, object};
  VG_(OSetGen_Insert)(set, extent);
  ++extents_version;
}

// Removes [begin, end) from the set; what lies around it stays.
static void cut(OSet* set, Addr begin, Addr end) {
  const Extent range = {begin, end, NULL};
  for (Extent* extent; (extent = VG_(OSetGen_Lookup)(set, &range));) {
    const Extent old = *extent;
    ++extents_version;
    VG_(OSetGen_FreeNode)(set, VG_(OSetGen_Remove)(set, extent));
    if (old.begin < begin) insert(set, old.begin, begin, old.object);
    if (old.end > end) insert(set, end, old.end, old.object);
    const Addr from = old.begin > begin ? old.begin : begin, to = old.end < end ? old.end : end;
    shrink(old.object, to - from);
  }
}

static void add(OSet* set, const Object* like, Addr address, SizeT bytes) {
  if (!bytes) bytes = 1;
  cut(set, address, address + bytes);  // a free that was not seen
  Object* const object = object_like(like);
  insert(set, address, address + bytes, object);
  ++object->blocks;
  grow(object, bytes);
}

void object_allocated(Addr address, SizeT bytes, ExeContext* callers) {
  add(blocks, &(Object){.kind = HEAP, .callers = callers}, address, bytes);
}

SizeT object_freed(Addr address) {
  const Extent key = {address, address + 1, NULL};
  Extent* const block = VG_(OSetGen_Lookup)(blocks, &key);
  if (!block || block->begin != address) return 0;
  const SizeT bytes = block->end - block->begin;
  cut(blocks, block->begin, block->end);
  return bytes;
}

static const HChar* file_at(Addr address) {
  const NSegment* const segment = VG_(am_find_nsegment)(address);
  return segment ? VG_(am_get_filename)(segment) : NULL;
}

void object_mapped(Addr address, SizeT bytes, ExeContext* callers) {
  const HChar* const file = file_at(address);
  const Object like = {.kind = file ? FILE_MAPPING : MAPPING, .callers = callers, .image = file};
  add(mappings, &like, address, bytes);
}

void object_moved(Addr from, Addr to, SizeT bytes) {
  const Extent key = {from, from + 1, NULL};
  const Extent* const mapping = VG_(OSetGen_Lookup)(mappings, &key);
  if (!mapping || mapping->end < from + bytes) return;
  Object* const object = mapping->object;
  cut(mappings, from, from + bytes);
  cut(mappings, to, to + bytes);
  insert(mappings, to, to + bytes, object);
  grow(object, bytes);
}

void object_unmapped(Addr address, SizeT bytes) {
  cut(mappings, address, address + bytes);
  cut(blocks, address, address + bytes);
  cut(statics, address, address + bytes);
}

static Bool is_in_stack(ThreadId thread, Addr address) {
  return address >= VG_(get_SP)(thread) - redzone && address <= VG_(thread_get_stack_max)(thread);
}

void object_stack_begins(ThreadId thread) {
  VG_(addToXA)(living, &thread);
}

void object_stack_ends(ThreadId thread) {
  for (Word i = VG_(sizeXA)(living); i-- > 0;) {
    if (*(ThreadId*)VG_(indexXA)(living, i) == thread) VG_(removeIndexXA)(living, i);
  }
}

// Whether it is in the stack of another thread, which shares its variables.
static Bool is_in_other_stack(Addr address) {
  for (Word i = 0; i < VG_(sizeXA)(living); ++i) {
    if (is_in_stack(*(ThreadId*)VG_(indexXA)(living, i), address)) return True;
  }
  return False;
}

// The program or library; memory that is zero at its start belongs to no file's mapping.
static const DebugInfo* image_at(Addr address) {
  const HChar* const file = file_at(address);
  for (const DebugInfo* info = VG_(next_DebugInfo)(NULL); info; info = VG_(next_DebugInfo)(info)) {
    const Addr begin = VG_(DebugInfo_get_bss_avma)(info);
    if (address >= begin && address - begin < VG_(DebugInfo_get_bss_size)(info)) return info;
    if (file && !VG_(strcmp)(file, VG_(DebugInfo_get_filename)(info))) return info;
  }
  return NULL;
}

static Bool is_in_symbol(Addr address, Addr begin) {
  const HChar* symbol;
  PtrdiffT offset;
  return VG_(get_datasym_and_offset)(VG_(current_DiEpoch)(), address, &symbol, &offset) &&
         address - offset == begin;
}

// Finds the end in steps, which double and then halve, because tools are not told the sizes of symbols.
static Addr end_of_symbol(Addr begin, Addr address) {
  Addr step = 1;
  for (; is_in_symbol(address + step, begin); step *= 2) address += step;
  for (; step > 0; step /= 2) {
    if (is_in_symbol(address + step, begin)) address += step;
  }
  return address + 1;
}

// The variable [begin, end) is one of the image, which may be NULL.
static void add_variable(const HChar* name, const DebugInfo* image, Addr begin, Addr end, Extent* extent) {
  const HChar* const path = image ? VG_(DebugInfo_get_filename)(image) : NULL;
  Object* const object = object_like(&(Object){.kind = STATIC, .name = name, .image = path});
  *extent = (Extent){begin, end, object};
  cut(statics, begin, end);
  insert(statics, begin, end, object);
  grow(object, end - begin);
}

// A static variable.
static Bool find_symbol(Addr address, Extent* extent) {
  const HChar* symbol;
  PtrdiffT offset;
  if (!VG_(get_datasym_and_offset)(VG_(current_DiEpoch)(), address, &symbol, &offset)) return False;
  HChar* const name = VG_(strdup)("gable.symbol", symbol);  // the next look-up may use the same memory
  const Addr begin = address - offset;
  add_variable(name, image_at(begin), begin, end_of_symbol(begin, address), extent);
  VG_(free)(name);
  return True;
}

// A part of a program or library without a symbol.
static Bool find_image(Addr address, Extent* extent) {
  const DebugInfo* const image = image_at(address);
  if (!image) return False;
  UniqueSymbol symbol;
  if (unique_symbol_at(image, address, &symbol)) {
    add_variable(symbol.name, image, symbol.begin, symbol.begin + symbol.bytes, extent);
    return True;
  }
  const Addr begin = address & ~63UL;  // a symbol may be near
  const Object wanted = {.kind = STATIC, .name = "(no symbol)", .image = VG_(DebugInfo_get_filename)(image)};
  *extent = (Extent){begin, begin + 64, object_like(&wanted)};
  return True;
}

// Variables of a thread lie around its thread pointer, in memory that its creator or the loader has
// allocated.
static Extent with_thread(ThreadId thread, const Extent* extent) {
  Addr pointer;
  VG_(get_shadow_regs_area)(thread, (UChar*)&pointer, 0, thread_pointer, sizeof pointer);
  if (pointer >= extent->begin && pointer < extent->end) extent->object->is_thread_local = True;
  return *extent;
}

// Whether blocks of the heap lie in the same segment: malloc's own memory lies between them.
static Bool is_near_blocks(Addr address) {
  const NSegment* const segment = VG_(am_find_nsegment)(address);
  if (!segment) return False;
  const Extent range = {segment->start, segment->end + 1, NULL};
  return VG_(OSetGen_Contains)(blocks, &range);
}

Extent extent_at(ThreadId thread, Addr address) {
  const Extent key = {address, address + 1, NULL};
  const Object stack = {.kind = STACK, .name = "stack"};
  if (is_in_stack(thread, address)) {
    return (Extent){VG_(get_SP)(thread) - redzone, VG_(thread_get_stack_max)(thread) + 1,
                    object_like(&stack)};
  }
  const Extent* const block = VG_(OSetGen_Lookup)(blocks, &key);
  if (block) return with_thread(thread, block);
  const Extent* const variable = VG_(OSetGen_Lookup)(statics, &key);
  if (variable) return *variable;
  if (is_in_other_stack(address)) return (Extent){address, address + 1, object_like(&stack)};
  Extent extent;
  if (find_symbol(address, &extent) || find_image(address, &extent)) return extent;
  const Extent* const mapping = VG_(OSetGen_Lookup)(mappings, &key);
  if (mapping) return with_thread(thread, mapping);
  const HChar* const name = is_near_blocks(address) ? "heap outside of blocks" : "other memory";
  return (Extent){address, address + 1, object_like(&(Object){.kind = OTHER, .name = name})};
}

Word objects_count(void) {
  return VG_(sizeXA)(objects);
}

const Object* object_at(Word index) {
  return *(Object**)VG_(indexXA)(objects, index);
}
