#include "model/json/note.hpp"

#include <fmt/format.h>

#include "base/words.hpp"

namespace gable::model {
namespace {

std::string text_of(const Fields& fields, const nlohmann::json& value) {
  const auto text = value.get<std::string>();
  if (printable(text) != text) fields.fail("a note with control characters");
  return text;
}

Note note_of(const Fields& fields, const char* name, const nlohmann::json& value) {
  if (value.is_string()) return text_of(fields, value);
  const auto wrong = [&] {
    fields.fail(fmt::format("\"{}\" must be a sentence, or have a \"code\" and \"arguments\"", name));
  };
  if (!value.is_object() || !value.contains("code") || !value["code"].is_string() ||
      !value.contains("arguments") || !value["arguments"].is_array())
    wrong();
  const auto code = named<NoteCode>(value["code"].get<std::string>());
  if (!code)
    fields.fail(fmt::format("\"{}\" has the code {}, which is not known", name, value["code"].dump()));
  Note note(*code);
  for (const nlohmann::json& argument : value["arguments"]) {
    if (argument.is_number()) {
      note.arguments.emplace_back(argument.get<double>());
    } else if (argument.is_string()) {
      note.arguments.emplace_back(text_of(fields, argument));
    } else {
      wrong();
    }
  }
  return note;
}

}  // namespace

Note note_from(const Fields& fields, const char* name) {
  return note_of(fields, name, fields.at(name));
}

Notes notes_from(const Fields& fields, const char* name) {
  if (!fields.at(name).is_array()) return {note_from(fields, name)};
  Notes notes;
  for (const nlohmann::json& value : fields.at(name)) notes.push_back(note_of(fields, name, value));
  return notes;
}

}  // namespace gable::model
