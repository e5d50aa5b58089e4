#include "model/json/lines.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/reading.hpp"

namespace gable::model {

std::string line_of(const Json& object, const std::string& what, const RecordReader& read) {
  std::string line = json_text(object);
  read(Fields(json_from(line), what));
  return line;
}

void read_line(std::string_view line, const std::string& where, const std::string& cure,
               const RecordReader& read) {
  const auto broken = [&](const std::string& what) { return Error::format(where, what + "; " + cure); };
  if (line.empty()) throw broken("an empty line");
  refuse_deep(line, where);
  Json parsed;
  try {
    parsed = json_from(line);
  } catch (const Json::exception& error) {
    throw broken(json_fault(line, error).what);
  }
  try {
    reading(where, [&] { read(Fields(parsed, where)); });
  } catch (const Error& error) {
    if (error.kind != Error::Kind::format) throw;
    throw broken(error.text());
  }
}

void for_each_line(const std::string& path, const std::function<void(const Line&)>& read) {
  if (!std::filesystem::exists(path)) return;
  const std::string text = read_whole(path);
  std::size_t begin = 0;
  for (int number = 1; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    const bool ends = end != std::string::npos;
    const std::string_view line = std::string_view(text).substr(begin, ends ? end - begin : end);
    read({line, path + ":" + std::to_string(number), ends});
    begin = ends ? end + 1 : text.size();
  }
}

}  // namespace gable::model
