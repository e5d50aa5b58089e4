#include "points/valgrind/profile/reuse/recency.h"

#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>

// A bit per use, in order of time; the bit of a line's last use is set. The distance of a line is the number
// of bits after its own. Sums of words, of blocks and of groups of blocks keep counting short, and recent
// uses are near the end.
enum { word_bits = 64, block_bits = 512, group_bits = 64 * block_bits, first_bits = group_bits };

struct Recency {
  Used* slots;      // hash table with linear probing
  void* allocated;  // the memory of `slots`, which are aligned
  UWord slot_count, used;
  ULong* bits;
  ULong* words;   // a byte for each word
  ULong* blocks;  // 16 bits for each block
  UInt* groups;
  UInt capacity, next;  // of positions
};

static void allocate_bits(Recency* recency, UInt capacity) {
  recency->capacity = capacity;
  recency->bits = VG_(calloc)("gable.recency", capacity / word_bits, sizeof(ULong));
  recency->words = VG_(calloc)("gable.recency", capacity / word_bits, sizeof(UChar));
  recency->blocks = VG_(calloc)("gable.recency", capacity / block_bits, sizeof(UShort));
  recency->groups = VG_(calloc)("gable.recency", capacity / group_bits, sizeof(UInt));
  recency->next = 0;
}

// The slots are aligned, so that none lies in two lines of the processor's caches.
static void allocate_slots(Recency* recency, UWord count) {
  recency->slot_count = count;
  recency->allocated = VG_(calloc)("gable.recency", count + 1, sizeof(Used));
  recency->slots = (Used*)(((Addr)recency->allocated + sizeof(Used) - 1) & -sizeof(Used));
}

static void free_sums(Recency* recency) {
  VG_(free)(recency->words);
  VG_(free)(recency->blocks);
  VG_(free)(recency->groups);
}

static void free_bits(Recency* recency) {
  VG_(free)(recency->bits);
  free_sums(recency);
}

Recency* recency_new(UWord lines) {
  Recency* const made = VG_(calloc)("gable.recency", 1, sizeof *made);
  UWord slots = 2;
  while (slots < 2 * lines) slots *= 2;
  allocate_slots(made, slots);
  allocate_bits(made, first_bits);
  return made;
}

void recency_free(Recency* recency) {
  free_bits(recency);
  VG_(free)(recency->allocated);
  VG_(free)(recency);
}

static void* copied(const void* from, SizeT bytes) {
  return VG_(memcpy)(VG_(malloc)("gable.recency", bytes), from, bytes);
}

Recency* recency_copy(const Recency* of) {
  Recency* const made = copied(of, sizeof *of);
  allocate_slots(made, of->slot_count);
  VG_(memcpy)(made->slots, of->slots, of->slot_count * sizeof(Used));
  made->bits = copied(of->bits, of->capacity / word_bits * sizeof(ULong));
  made->words = copied(of->words, of->capacity / word_bits);
  made->blocks = copied(of->blocks, of->capacity / block_bits * sizeof(UShort));
  made->groups = copied(of->groups, of->capacity / group_bits * sizeof(UInt));
  return made;
}

UWord recency_count(const Recency* recency) {
  return recency->used;
}

static UWord slot_of(const Used* slots, UWord count, UWord stored) {
  UWord slot = (stored * 0xd6e8feb86659fd93UL) >> 32 & (count - 1);
  while (slots[slot].key && slots[slot].key != stored) slot = (slot + 1) & (count - 1);
  return slot;
}

static void resize(Recency* recency, UWord slot_count) {
  const Used* const old = recency->slots;
  void* const allocated = recency->allocated;
  const UWord old_count = recency->slot_count;
  allocate_slots(recency, slot_count);
  for (UWord i = 0; i < old_count; ++i) {
    if (old[i].key) recency->slots[slot_of(recency->slots, slot_count, old[i].key)] = old[i];
  }
  VG_(free)(allocated);
}

// Makes the table as large as its entries need. Few entries in a large one would each be in a page of its
// own.
static void fit(Recency* recency) {
  UWord count = 2;
  while (count < 4 * recency->used) count *= 2;
  resize(recency, count);  // even if it is as large: probing must not meet gaps
}

static void set(Recency* recency, UInt position) {
  const UInt word = position / word_bits, block = position / block_bits;
  recency->bits[word] |= 1ULL << position % word_bits;
  recency->words[word / 8] += 1ULL << 8 * (word % 8);
  recency->blocks[block / 4] += 1ULL << 16 * (block % 4);
  ++recency->groups[position / group_bits];
}

static void clear(Recency* recency, UInt position) {
  const UInt word = position / word_bits, block = position / block_bits;
  recency->bits[word] &= ~(1ULL << position % word_bits);
  recency->words[word / 8] -= 1ULL << 8 * (word % 8);
  recency->blocks[block / 4] -= 1ULL << 16 * (block % 4);
  --recency->groups[position / group_bits];
}

// Counts the bits in software, because not every processor has an instruction for it.
static UInt bits_in(ULong word) {
  word -= word >> 1 & 0x5555555555555555ULL;
  word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
  return ((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56;
}

static UInt sum_of_shorts(ULong four) {
  return four * 0x0001000100010001ULL >> 48;
}

static UInt sum_of_bytes(ULong eight) {
  return sum_of_shorts((eight & 0x00ff00ff00ff00ffULL) + (eight >> 8 & 0x00ff00ff00ff00ffULL));
}

// The digits after digit `index` of a number, which has `count` of them.
static ULong digits_after(ULong number, UInt index, UInt count) {
  return index == count - 1 ? 0 : number >> 64 / count * (index + 1);
}

// The number of set bits after `position`.
static UInt count_after(const Recency* recency, UInt position) {
  enum { fours_of_group = group_bits / block_bits / 4 };
  const UInt word = position / word_bits, block = position / block_bits, group = position / group_bits;
  UInt sum = bits_in(digits_after(recency->bits[word], position % word_bits, word_bits)) +
             sum_of_bytes(digits_after(recency->words[word / 8], word % 8, 8));
  const UInt fours = (recency->next + 4 * block_bits - 1) / (4 * block_bits);
  const UInt end = (group + 1) * fours_of_group < fours ? (group + 1) * fours_of_group : fours;
  // Four sums of blocks at once: those of a group do not exceed 16 bits.
  ULong lanes = digits_after(recency->blocks[block / 4], block % 4, 4);
  for (UInt four = block / 4 + 1; four < end; ++four) lanes += recency->blocks[four];
  sum += (lanes & 0xffff) + (lanes >> 16 & 0xffff) + (lanes >> 32 & 0xffff) + (lanes >> 48);
  const UInt groups = (recency->next + group_bits - 1) / group_bits;
  for (UInt later = group + 1; later < groups; ++later) sum += recency->groups[later];
  return sum;
}

// Gives the uses new positions without gaps, in the same order.
static void renumber(Recency* recency) {
  UInt* const slot_at = VG_(malloc)("gable.recency", recency->capacity * sizeof *slot_at);
  for (UWord i = 0; i < recency->slot_count; ++i) {
    if (recency->slots[i].position) slot_at[recency->slots[i].position - 1] = i;
  }
  ULong* const bits = recency->bits;
  const UInt positions = recency->next;
  UInt capacity = first_bits;
  while (capacity < 4 * recency->used) capacity *= 2;
  free_sums(recency);
  allocate_bits(recency, capacity);
  for (UInt word = 0; word < (positions + word_bits - 1) / word_bits; ++word) {
    for (ULong left = bits[word]; left; left &= left - 1) {
      set(recency, recency->next);
      recency->slots[slot_at[word * word_bits + __builtin_ctzll(left)]].position = ++recency->next;
    }
  }
  VG_(free)(bits);
  VG_(free)(slot_at);
}

static Used* new_entry(Recency* recency, UWord key) {
  if (2 * recency->used >= recency->slot_count) resize(recency, 2 * recency->slot_count);
  Used* const entry = &recency->slots[slot_of(recency->slots, recency->slot_count, key + 1)];
  *entry = (Used){.key = key + 1, .dirty_from = -1};
  ++recency->used;
  return entry;
}

Used* recency_use(Recency* recency, UWord key, Long* distance) {
  Used* entry = &recency->slots[slot_of(recency->slots, recency->slot_count, key + 1)];
  *distance = entry->position ? 0 : -1;
  if (entry->position && entry->position == recency->next) return entry;  // it is the last one
  if (recency->next == recency->capacity) renumber(recency);
  if (!entry->key) entry = new_entry(recency, key);
  if (entry->position) {
    *distance = count_after(recency, entry->position - 1);
    clear(recency, entry->position - 1);
  }
  set(recency, recency->next);
  entry->position = ++recency->next;
  return entry;
}

Used* recency_leave(Recency* recency, UWord key) {
  Long distance;
  Used* const entry = recency_use(recency, key, &distance);
  clear(recency, entry->position - 1);
  entry->position = 0;
  return entry;
}

const Used* recency_find(const Recency* recency, UWord key) {
  const Used* const entry = &recency->slots[slot_of(recency->slots, recency->slot_count, key + 1)];
  return entry->key ? entry : NULL;
}

static void forget(Recency* recency, Used* entry) {
  if (entry->position) clear(recency, entry->position - 1);
  *entry = (Used){0};
  --recency->used;
}

void recency_keep(Recency* recency, Bool (*is_kept)(UWord key)) {
  for (UWord i = 0; i < recency->slot_count; ++i) {
    Used* const entry = &recency->slots[i];
    if (entry->key && !is_kept(entry->key - 1)) forget(recency, entry);
  }
  fit(recency);
  renumber(recency);
}

void recency_drop(Recency* recency, UWord most, void (*visit)(Used* used, UWord since)) {
  for (UWord i = 0; i < recency->slot_count; ++i) {
    Used* const entry = &recency->slots[i];
    if (!entry->key) continue;
    const UInt since = entry->position ? count_after(recency, entry->position - 1) : most;
    if (since < most) continue;
    if (entry->position) visit(entry, since);
    forget(recency, entry);
  }
  fit(recency);
  renumber(recency);
}

void recency_each(Recency* recency, void (*visit)(Used* used, UWord since)) {
  for (UWord i = 0; i < recency->slot_count; ++i) {
    Used* const used = &recency->slots[i];
    if (used->position) visit(used, count_after(recency, used->position - 1));
  }
}
