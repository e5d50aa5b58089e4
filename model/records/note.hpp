#pragma once

// What a reader of a figure must know, as a code and its arguments: notes and reasons of visits, remarks on
// roofs. A sentence is made where someone reads it; no code reads one.

#include <map>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

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

using NoteArgument = std::variant<double, std::string>;

struct Note {
  NoteCode code = NoteCode::none;
  std::vector<NoteArgument> arguments;

  Note() = default;
  Note(NoteCode what, std::vector<NoteArgument> with = {}) : code(what), arguments(std::move(with)) {}
  /// A sentence of the system, of a publication or of a user; it is shown as it is. Empty: none.
  explicit Note(const std::string& text);

  bool empty() const { return code == NoteCode::none; }
  bool operator==(const Note&) const = default;
  auto operator<=>(const Note&) const = default;
};

using Notes = std::vector<Note>;

/// Whether its arguments are those that its sentence names.
bool is_complete(const Note& note);
std::string sentence(const Note& note);
std::vector<std::string> sentences(const Notes& notes);
/// "one; other"
std::string joined_sentences(const Notes& notes);

bool has(const Notes& notes, NoteCode code);

/// Notes that differ only in their numbers as one: "kept 0.4 to 1.9 CPUs busy", "no HBM in cluster 0 or 1".
class AlikeNotes {
 public:
  /// The note without its numbers; notes with the same can be one.
  static Note kind_of(Note note);

  /// Adds a note of the same kind as those before.
  void add(const Note& note);
  int count() const { return count_; }
  /// The sentence, with the range of each amount that varies, and all that it names by number.
  std::string text() const;

 private:
  int count_ = 0;
  Note first_;
  std::vector<std::set<double>> numbers_;  ///< of each argument
};

/// Alike notes by their kind, and by what they are on.
using NotesByKind = std::map<std::pair<std::string, Note>, AlikeNotes>;
/// Returns what the note is added to.
AlikeNotes& add_alike(NotesByKind& notes, const std::string& of, const Note& note);

}  // namespace gable::model
