#include "model/virt/notes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gable::model {
std::vector<VirtNote> notes_of(const std::vector<VirtSample>& samples, const std::string& kind) {
  std::vector<VirtNote> notes;
  int of = 0;
  for (const VirtSample& sample : samples) {
    if (sample.spec.kind != kind || sample.status != Status::ok) continue;
    ++of;
    for (const Note& note : sample.notes) {
      const auto same = [&](const VirtNote& other) {
        return AlikeNotes::kind_of(other.note) == AlikeNotes::kind_of(note);
      };
      auto found = std::ranges::find_if(notes, same);
      if (found == notes.end()) found = notes.insert(notes.end(), {note, 0, 0, false});
      ++found->visits;
      found->varies = found->varies || found->note != note;
      if (note.arguments > found->note.arguments) found->note = note;
    }
  }
  for (VirtNote& note : notes) note.of = of;
  return notes;
}

std::string note_text(const VirtNote& note) {
  return fmt::format("{} of {} visits: {}{}{}.", note.visits, note.of, sentence(note.note),
                     note.varies ? ", at most" : "",
                     note.note.code == NoteCode::others_busy ? "; measure again on an idle machine" : "");
}

}  // namespace gable::model
