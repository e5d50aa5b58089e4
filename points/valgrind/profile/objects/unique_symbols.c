#include "points/valgrind/profile/objects/unique_symbols.h"

#include <elf.h>

#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_vki.h>
#include <pub_tool_xarray.h>

typedef struct {
  Elf64_Addr value;
  SizeT bytes;
  Off64T name;  // where it is in the file
} Unique;

typedef struct {
  HChar* path;
  XArray* symbols;  // Unique
} Image;

static XArray* images;  // Image

static Bool read_at(Int file, Off64T offset, void* into, SizeT bytes) {
  return VG_(lseek)(file, offset, VKI_SEEK_SET) == offset && VG_(read)(file, into, bytes) == (Int)bytes;
}

static void add_symbols(Int file, const Elf64_Shdr* table, const Elf64_Shdr* names, XArray* symbols) {
  Elf64_Sym some[256];
  const UWord count = table->sh_size / sizeof *some;
  for (UWord begin = 0; begin < count; begin += 256) {
    const UWord here = count - begin < 256 ? count - begin : 256;
    if (!read_at(file, table->sh_offset + begin * sizeof *some, some, here * sizeof *some)) return;
    for (UWord i = 0; i < here; ++i) {
      if (some[i].st_info != ELF64_ST_INFO(STB_GNU_UNIQUE, STT_OBJECT) || !some[i].st_size) continue;
      const Unique symbol = {some[i].st_value, some[i].st_size, names->sh_offset + some[i].st_name};
      VG_(addToXA)(symbols, &symbol);
    }
  }
}

static XArray* symbols_of(const HChar* path) {
  XArray* const symbols = VG_(newXA)(VG_(malloc), "gable.unique", VG_(free), sizeof(Unique));
  const SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
  if (sr_isError(opened)) return symbols;
  const Int file = sr_Res(opened);
  Elf64_Ehdr head;
  if (read_at(file, 0, &head, sizeof head) && head.e_shentsize == sizeof(Elf64_Shdr) && head.e_shnum) {
    Elf64_Shdr* const sections = VG_(malloc)("gable.unique", head.e_shnum * sizeof *sections);
    const Bool is_read = read_at(file, head.e_shoff, sections, head.e_shnum * sizeof *sections);
    for (UInt i = 0; is_read && i < head.e_shnum; ++i) {
      const Bool has_symbols = sections[i].sh_type == SHT_SYMTAB || sections[i].sh_type == SHT_DYNSYM;
      if (has_symbols && sections[i].sh_link < head.e_shnum)
        add_symbols(file, &sections[i], &sections[sections[i].sh_link], symbols);
    }
    VG_(free)(sections);
  }
  VG_(close)(file);
  return symbols;
}

static XArray* known_symbols_of(const HChar* path) {
  if (!images) images = VG_(newXA)(VG_(malloc), "gable.unique", VG_(free), sizeof(Image));
  for (Word i = 0; i < VG_(sizeXA)(images); ++i) {
    const Image* const image = VG_(indexXA)(images, i);
    if (!VG_(strcmp)(image->path, path)) return image->symbols;
  }
  const Image image = {VG_(strdup)("gable.unique", path), symbols_of(path)};
  VG_(addToXA)(images, &image);
  return image.symbols;
}

// The name may end the file before the buffer does.
static Bool read_name(const HChar* path, Off64T offset, HChar* name, SizeT bytes) {
  const SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
  if (sr_isError(opened)) return False;
  VG_(memset)(name, 0, bytes);
  const Bool is_there = VG_(lseek)(sr_Res(opened), offset, VKI_SEEK_SET) == offset &&
                        VG_(read)(sr_Res(opened), name, bytes - 1) > 0;
  VG_(close)(sr_Res(opened));
  return is_there;
}

Bool unique_symbol_at(const DebugInfo* info, Addr address, UniqueSymbol* found) {
  const HChar* const path = VG_(DebugInfo_get_filename)(info);
  const Addr value = address - VG_(DebugInfo_get_text_bias)(info);
  XArray* const symbols = known_symbols_of(path);
  for (Word i = 0; i < VG_(sizeXA)(symbols); ++i) {
    const Unique* const symbol = VG_(indexXA)(symbols, i);
    if (value < symbol->value || value - symbol->value >= symbol->bytes) continue;
    found->begin = address - (value - symbol->value);
    found->bytes = symbol->bytes;
    return read_name(path, symbol->name, found->name, sizeof found->name);
  }
  return False;
}
