#include "points/profile/build_id.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/files.hpp"

namespace gable::points {
namespace {

template <typename Header>
std::optional<Header> header_at(std::string_view file, std::size_t offset) {
  Header header;
  if (offset > file.size() || file.size() - offset < sizeof header) return {};
  std::memcpy(&header, file.data() + offset, sizeof header);
  return header;
}

std::string in_hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::size_t aligned(std::size_t size) {
  return (size + 3) / 4 * 4;
}

// The notes of one segment (elf(5)).
std::string id_in(std::string_view notes) {
  static constexpr char owner[] = "GNU";  // with its zero
  for (std::size_t at = 0;;) {
    const auto note = header_at<Elf64_Nhdr>(notes, at);
    if (!note) return {};
    const std::size_t name = at + sizeof *note, id = name + aligned(note->n_namesz);
    if (id > notes.size() || notes.size() - id < note->n_descsz) return {};
    if (note->n_type == NT_GNU_BUILD_ID && notes.substr(name, 4) == std::string_view(owner, sizeof owner)) {
      return in_hex(notes.substr(id, note->n_descsz));
    }
    at = id + aligned(note->n_descsz);
  }
}

std::string id_of(std::string_view file) {
  const auto header = header_at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return {};
  for (int i = 0; i < header->e_phnum; ++i) {
    const auto segment = header_at<Elf64_Phdr>(file, header->e_phoff + i * header->e_phentsize);
    if (!segment || segment->p_type != PT_NOTE || segment->p_offset > file.size()) continue;
    if (const std::string id = id_in(file.substr(segment->p_offset, segment->p_filesz)); !id.empty())
      return id;
  }
  return {};
}

}  // namespace

std::string build_id(const std::string& path) {
  return id_of(read_whole(path));
}

std::string code_identity(const std::string& path) try {
  const std::string file = read_whole(path);
  const std::string id = id_of(file);
  return id.empty() ? fmt::format("content {:x}", std::hash<std::string>()(file)) : id;
} catch (const std::system_error&) {
  return {};
}

}  // namespace gable::points
