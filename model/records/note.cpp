#include "model/records/note.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "base/lists.hpp"
#include "base/words.hpp"

namespace gable::model {
namespace {

// Calls `put` for every placeholder of the words with what stands in its brackets.
template <typename Put>
std::string filled(std::string_view words, const Put& put) {
  std::string text;
  std::size_t argument = 0;
  for (std::size_t open = words.find('{'); open != words.npos; open = words.find('{')) {
    const std::size_t close = words.find('}', open);
    text += std::string(words.substr(0, open)) + put(argument++, words.substr(open + 1, close - open - 1));
    words.remove_prefix(close + 1);
  }
  return text + std::string(words);
}

std::string number_text(double number, std::string_view form) {
  if (form == "b") return bytes_text(static_cast<std::uint64_t>(number));
  if (form.starts_with('.')) return fmt::format("{:.{}f}", number, form[1] - '0');
  return form.starts_with('g') ? fmt::format("{:.{}g}", number, form[1] - '0') : fmt::format("{}", number);
}

std::string argument_text(const NoteArgument& argument, std::string_view form) {
  const double* const number = std::get_if<double>(&argument);
  return number != nullptr ? number_text(*number, form) : std::get<std::string>(argument);
}

// "0, 3 or 5-8"
std::string any_of_text(const std::set<double>& numbers) {
  constexpr int shortest = 3;
  std::vector<std::string> parts;
  for (auto from = numbers.begin(); from != numbers.end();) {
    int length = 1;
    auto last = from, next = std::next(from);
    for (; next != numbers.end() && *next == *last + 1; ++length) last = next++;
    if (length < shortest) next = std::next(last = from);
    parts.push_back(last == from ? fmt::format("{}", *from) : fmt::format("{}-{}", *from, *last));
    from = next;
  }
  const std::string end = parts.back();
  parts.pop_back();
  return parts.empty() ? end : fmt::format("{} or {}", fmt::join(parts, ", "), end);
}

}  // namespace

Note::Note(const std::string& text) {
  if (text.empty()) return;
  code = NoteCode::text;
  arguments = {text};
}

bool is_complete(const Note& note) {
  std::size_t named = 0;
  bool fits = true;
  filled(row_of(note.code).words, [&](std::size_t i, std::string_view form) {
    const bool has = ++named <= note.arguments.size();
    fits = fits && has &&
           (form == "b" || std::holds_alternative<std::string>(note.arguments[i]) == form.empty());
    return "";
  });
  return fits && named == note.arguments.size();
}

std::string sentence(const Note& note) {
  return filled(row_of(note.code).words, [&](std::size_t i, std::string_view form) {
    return i < note.arguments.size() ? argument_text(note.arguments[i], form) : "?";
  });
}

std::vector<std::string> sentences(const Notes& notes) {
  return each_of(notes, [](const Note& note) { return sentence(note); });
}

std::string joined_sentences(const Notes& notes) {
  return gable::joined(notes, sentence, "; ");
}

bool has(const Notes& notes, NoteCode code) {
  return std::ranges::find(notes, code, &Note::code) != notes.end();
}

Note AlikeNotes::kind_of(Note note) {
  for (NoteArgument& argument : note.arguments) {
    if (std::holds_alternative<double>(argument)) argument = 0.0;
  }
  return note;
}

void AlikeNotes::add(const Note& note) {
  ++count_;
  first_ = note;
  numbers_.resize(note.arguments.size());
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    if (const double* const number = std::get_if<double>(&note.arguments[i])) numbers_[i].insert(*number);
  }
}

AlikeNotes& add_alike(NotesByKind& notes, const std::string& of, const Note& note) {
  AlikeNotes& alike = notes[{of, AlikeNotes::kind_of(note)}];
  alike.add(note);
  return alike;
}

std::string AlikeNotes::text() const {
  return filled(row_of(first_.code).words, [&](std::size_t i, std::string_view form) {
    const std::string one = i < numbers_.size() ? argument_text(first_.arguments[i], form) : "?";
    if (i >= numbers_.size() || numbers_[i].size() < 2) return one;
    if (form == "id") return any_of_text(numbers_[i]);
    const std::string least = number_text(*numbers_[i].begin(), form),
                      most = number_text(*numbers_[i].rbegin(), form);
    return least == most ? least : least + " to " + most;
  });
}

}  // namespace gable::model
