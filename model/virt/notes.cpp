#include "model/virt/notes.hpp"

#include <fmt/format.h>

namespace gable::model {

std::vector<std::string> notes_of(const std::vector<VirtSample>& samples, VirtKind kind) {
  NotesByKind alike;
  int visits = 0;
  for (const VirtSample& sample : samples) {
    if (sample.spec.kind != kind || sample.status != Status::ok) continue;
    ++visits;
    for (const Note& note : sample.notes) add_alike(alike, "", note);
  }
  std::vector<std::string> lines;
  for (const auto& [of, notes] : alike) {
    const bool avoidable = of.second.code == NoteCode::others_busy;
    lines.push_back(fmt::format("{} of {} visits: {}{}.", notes.count(), visits, notes.text(),
                                avoidable ? "; measure again on an idle machine" : ""));
  }
  return lines;
}

}  // namespace gable::model
