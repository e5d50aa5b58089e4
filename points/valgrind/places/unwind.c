#include "points/valgrind/places/unwind.h"

#include <elf.h>
#include <linux/limits.h>
#include <pub_tool_aspacemgr.h>
#include <pub_tool_debuginfo.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_mallocfree.h>

// .eh_frame_hdr (Linux Standard Base 5.0, Core, 10.6.2): functions by their address.
typedef struct {
  UChar version, frame_encoding, count_encoding, table_encoding;
  Int frame;
  UInt count;
  struct {
    Int function, description;  // from the header on
  } entries[];
} Header;

// A description (10.6.1.2), with the usual encoding: addresses of four bytes from the field on.
typedef struct {
  UInt length, common;
  Int function;
  UInt bytes;
} Description;

enum { version = 1, unsigned_4 = 0x03, signed_4_from_header = 0x3b };

// The file that was looked at last.
static struct {
  UInt epoch;
  Addr from, to;         // its code
  const Header* header;  // NULL: it has none that can be used
} latest;

static Bool is_readable(Addr from, SizeT bytes) {
  const NSegment* const segment = VG_(am_find_nsegment)(from);
  return segment && segment->kind == SkFileC && segment->hasR && from + bytes >= from &&
         from + bytes - 1 <= segment->end;
}

static Bool is_of_file(const NSegment* segment, const NSegment* other) {
  return segment && segment->dev == other->dev && segment->ino == other->ino;
}

// The ELF header of the file that has been mapped with this code, below it; 0: none.
static Addr beginning_of(const NSegment* code) {
  enum { more = 16 };  // that the allocation may add
  Addr found = 0, first;
  const Int needed = VG_(am_get_segment_starts)(SkFileC, &first, 1);  // negative if there are more
  const Int room = (needed < 0 ? -needed : needed) + more;
  Addr* const starts = VG_(malloc)("gable.unwind", room * sizeof *starts);
  const Int count = VG_(am_get_segment_starts)(SkFileC, starts, room);
  for (Int i = 0; i < count && starts[i] <= code->start; ++i) {
    const NSegment* const segment = VG_(am_find_nsegment)(starts[i]);
    if (is_of_file(segment, code) && segment->offset == 0) found = segment->start;
  }
  VG_(free)(starts);
  return found;
}

static const Header* header_in(Addr file) {
  const Elf64_Ehdr* const elf = (const Elf64_Ehdr*)file;
  if (!is_readable(file, sizeof *elf) || elf->e_ident[EI_CLASS] != ELFCLASS64) return NULL;
  const Elf64_Phdr* const parts = (const Elf64_Phdr*)(file + elf->e_phoff);
  if (!is_readable((Addr)parts, elf->e_phnum * sizeof *parts)) return NULL;
  Addr moved = file;
  const Header* header = NULL;
  for (UInt i = 0; i < elf->e_phnum; ++i) {
    if (parts[i].p_type == PT_LOAD && parts[i].p_offset == 0) moved = file - parts[i].p_vaddr;
  }
  for (UInt i = 0; i < elf->e_phnum; ++i) {
    if (parts[i].p_type == PT_GNU_EH_FRAME) header = (const Header*)(moved + parts[i].p_vaddr);
  }
  if (!header || !is_readable((Addr)header, sizeof *header) || header->version != version ||
      header->count_encoding != unsigned_4 || header->table_encoding != signed_4_from_header ||
      !is_readable((Addr)header, sizeof *header + header->count * sizeof header->entries[0]))
    return NULL;
  return header;
}

static void look_up(Addr instruction) {
  const NSegment* const code = VG_(am_find_nsegment)(instruction);
  latest.epoch = VG_(current_DiEpoch)().n;
  latest.from = latest.to = instruction;
  latest.header = NULL;
  if (!code || code->kind != SkFileC) return;
  latest.from = code->start;
  latest.to = code->end;
  const Addr file = beginning_of(code);
  if (file) latest.header = header_in(file);
}

static Bool describes(const Description* description, Addr function, Addr instruction) {
  return is_readable((Addr)description, sizeof *description) &&
         (Addr)&description->function + description->function == function &&
         instruction < function + description->bytes;
}

Addr unwind_function(Addr instruction) {
  if (latest.epoch != VG_(current_DiEpoch)().n || instruction < latest.from || instruction > latest.to)
    look_up(instruction);
  const Header* const header = latest.header;
  if (!header) return 0;
  const Addr base = (Addr)header;
  UInt from = 0, to = header->count;  // the first one behind the instruction lies in this range
  while (from < to) {
    const UInt middle = from + (to - from) / 2;
    if (base + header->entries[middle].function <= instruction) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  if (from == 0) return 0;
  const Addr function = base + header->entries[from - 1].function;
  const Description* const description = (const Description*)(base + header->entries[from - 1].description);
  return describes(description, function, instruction) ? function : 0;
}

const HChar* unwind_name(Addr instruction, const HChar* object) {
  static HChar name[NAME_MAX + 32];
  const Addr function = unwind_function(instruction);
  const NSegment* const code = function ? VG_(am_find_nsegment)(function) : NULL;
  if (!code) return NULL;
  const UWord offset = function - code->start + code->offset;
  const HChar* const folder = VG_(strrchr)(object, '/');
  VG_(snprintf)(name, sizeof name, "%s+0x%lx", folder ? folder + 1 : object, offset);
  return name;
}
