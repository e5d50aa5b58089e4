#pragma once

// A note in a file: {"code":"others_busy","arguments":[1.2]}, or a sentence, as in files without codes.

#include "base/json.hpp"
#include "model/json/fields.hpp"
#include "model/records/note.hpp"

namespace gable::model {

void to_json(Json& out, const Note& note);

Note note_from(const Fields& fields, const char* name);
/// Of an array; a single sentence, as in old files, is one note.
Notes notes_from(const Fields& fields, const char* name);

}  // namespace gable::model
