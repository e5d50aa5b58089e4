#include "model/json/visits/note.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"

namespace gable::model {
namespace {

// The arguments with which these words are the text; nothing if they are not.
std::optional<std::vector<NoteArgument>> arguments_in(std::string_view text, std::string_view words) {
  std::vector<NoteArgument> arguments;
  for (std::size_t open = words.find('{'); open != words.npos; open = words.find('{')) {
    if (!text.starts_with(words.substr(0, open))) return std::nullopt;
    const std::size_t close = words.find('}', open);
    const bool is_number = std::string_view(".gi").find(words[open + 1]) != std::string_view::npos;
    text.remove_prefix(open);
    words.remove_prefix(close + 1);
    const std::string_view next = words.substr(0, words.find('{'));
    const std::string_view argument = text.substr(0, next.empty() ? text.npos : text.find(next));
    const auto number = read_as<double>(argument);
    if (is_number && !number) return std::nullopt;
    arguments.push_back(is_number ? NoteArgument(*number) : NoteArgument(std::string(argument)));
    text.remove_prefix(argument.size());
  }
  if (text != words) return std::nullopt;
  return arguments;
}

// A sentence of a file without codes. It has the code that would say the same now, so that it is shown as it
// is.
Note of_sentence(const std::string& text) {
  Note found(text);
  std::size_t most = 0;
  for (const NoteRow& row : note_rows) {
    const bool is_any = row.words.starts_with("{}") && row.words.ends_with("{}");
    if (is_any || row.words.size() <= most) continue;
    const auto arguments = arguments_in(text, row.words);
    if (!arguments) continue;
    if (Note note(row.value, *arguments); sentence(note) == text) {
      found = std::move(note);
      most = row.words.size();
    }
  }
  return found;
}

std::string text_of(const Fields& fields, const Json& value) {
  const auto text = value.get<std::string>();
  if (printable(text) != text) fields.fail("a note with control characters");
  return text;
}

Note note_of(const Fields& fields, const char* name, const Json& value) {
  if (value.is_string()) return of_sentence(text_of(fields, value));
  const auto wrong = [&] {
    fields.fail(fmt::format("\"{}\" must be a sentence, or have a \"code\" and its \"arguments\"", name));
  };
  if (!value.is_object() || !value.contains("code") || !value["code"].is_string() ||
      !value.contains("arguments") || !value["arguments"].is_array())
    wrong();
  const auto code = named<NoteCode>(value["code"].get<std::string>());
  if (!code)
    fields.fail(fmt::format("\"{}\" has the code {}, which is not known", name, json_text(value["code"])));
  Note note(*code);
  for (const Json& argument : value["arguments"]) {
    if (argument.is_number()) {
      note.arguments.emplace_back(argument.get<double>());
    } else if (argument.is_string()) {
      note.arguments.emplace_back(text_of(fields, argument));
    } else {
      wrong();
    }
  }
  if (!is_complete(note)) wrong();
  return note;
}

}  // namespace

void to_json(Json& out, const Note& note) {
  out = sentence(note);
  if (note.empty() || note.code == NoteCode::text) return;
  out = {{"code", name_of(note.code)}, {"arguments", Json::array()}};
  for (const NoteArgument& argument : note.arguments)
    std::visit([&](const auto& value) { out["arguments"].push_back(value); }, argument);
}

Note note_from(const Fields& fields, const char* name) {
  return note_of(fields, name, fields.at(name));
}

Notes notes_from(const Fields& fields, const char* name) {
  if (!fields.at(name).is_array()) return {note_from(fields, name)};
  return each_of(fields.at(name), [&](const Json& value) { return note_of(fields, name, value); });
}

}  // namespace gable::model
