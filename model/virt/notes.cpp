#include "model/virt/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace gable::model {
namespace {

constexpr const char* digits = "0123456789.";

// The note without its numbers.
std::string pattern_of(std::string text) {
  std::erase_if(text, [](char c) { return std::string(digits).find(c) != std::string::npos; });
  return text;
}

double number_in(const std::string& text) {
  const std::size_t begin = text.find_first_of("0123456789");
  return begin == std::string::npos ? 0 : std::strtod(text.c_str() + begin, nullptr);
}

}  // namespace

std::vector<VirtNote> notes_of(const std::vector<VirtSample>& samples, const std::string& kind) {
  std::vector<VirtNote> notes;
  int of = 0;
  for (const VirtSample& sample : samples) {
    if (sample.spec.kind != kind || sample.status != Status::ok) continue;
    ++of;
    for (const std::string& text : sample.notes) {
      const auto same = [&](const VirtNote& note) { return pattern_of(note.text) == pattern_of(text); };
      auto found = std::ranges::find_if(notes, same);
      if (found == notes.end()) found = notes.insert(notes.end(), {text, 0, 0, false});
      ++found->visits;
      found->varies = found->varies || found->text != text;
      if (number_in(text) > number_in(found->text)) found->text = text;
    }
  }
  for (VirtNote& note : notes) note.of = of;
  return notes;
}

std::string note_text(const VirtNote& note) {
  return fmt::format("{} of {} visits: {}{}{}.", note.visits, note.of, note.text,
                     note.varies ? ", at most" : "",
                     is_of_others(note.text) ? "; measure again on an idle machine" : "");
}

}  // namespace gable::model
