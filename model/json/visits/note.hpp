#pragma once

// A note in a file: {"code":"others_busy","arguments":[1.2]}, or a sentence, as in files without codes.

#include <nlohmann/json.hpp>

#include "model/json/fields.hpp"
#include "model/records/note.hpp"

namespace gable::model {

template <typename Json>
void to_json(Json& out, const Note& note) {
  out = sentence(note);
  if (note.empty() || note.code == NoteCode::text) return;
  out = {{"code", name_of(note.code)}, {"arguments", Json::array()}};
  for (const NoteArgument& argument : note.arguments)
    std::visit([&](const auto& value) { out["arguments"].push_back(value); }, argument);
}

Note note_from(const Fields& fields, const char* name);
/// Of an array; a single sentence, as in old files, is one note.
Notes notes_from(const Fields& fields, const char* name);

}  // namespace gable::model
