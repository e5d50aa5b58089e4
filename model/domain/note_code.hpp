#pragma once

// What notes, reasons and remarks say (note_codes.inc). One row each: its name in files, and its sentence.

#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

enum class NoteCode {
  none,
  text,
#define NOTE(code, words) code,
#include "model/domain/note_codes.inc"
#undef NOTE
};

struct NoteRow {
  NoteCode value;
  std::string_view name;
  std::string_view words;
};
inline constexpr NoteRow note_rows[] = {
    {NoteCode::none, "", ""},
    {NoteCode::text, "text", "{}"},
#define NOTE(code, words) {NoteCode::code, #code, words},
#include "model/domain/note_codes.inc"
#undef NOTE
};
static_assert(is_in_order(note_rows));
constexpr std::span<const NoteRow> table(NoteCode) {
  return note_rows;
}

}  // namespace gable::model
