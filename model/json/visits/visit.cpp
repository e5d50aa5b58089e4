#include "model/json/visits/visit.hpp"

#include <fmt/format.h>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/reading.hpp"

namespace gable::model {

namespace {

bool all_positive(const std::vector<double>& values) {
  for (const double value : values) {
    if (!std::isfinite(value) || value <= 0) return false;
  }
  return true;
}

}  // namespace

std::string line_of(const Json& object, const std::string& what, const RecordReader& read) {
  std::string line = json_text(object);
  read(Fields(json_from(line), what));
  return line;
}

void read_line(std::string_view line, const std::string& where, const std::string& cure,
               const RecordReader& read) {
  const auto broken = [&](const std::string& what) { return Error::format(where, what + "; " + cure); };
  if (line.empty()) throw broken("an empty line");
  if (line.ends_with('\r'))
    throw Error::format(where, "the line ends in CR LF; convert the file to LF line ends");
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

void check_result(const Fields& fields, const std::vector<double>& seconds, const char* name,
                  const std::vector<double>& work, Status status, const Note& reason) {
  if (!all_positive(seconds)) fields.fail("\"seconds\" must be above 0");
  if (!all_positive(work)) fields.fail(fmt::format("\"{}\" must be above 0", name));
  if (seconds.size() != work.size())
    fields.fail(fmt::format("\"seconds\" has {} entries, \"{}\" has {}", seconds.size(), name, work.size()));
  for (std::size_t i = 0; i < work.size(); ++i) {
    const double rate = work[i] / seconds[i];
    if (rate < 1e-30 || rate > 1e30)
      fields.fail(fmt::format("\"{}\" in \"seconds\" is a rate of {}", name, rate));
  }
  if (status == Status::ok && seconds.empty()) fields.fail("status \"ok\" without a repetition");
  if (status == Status::ok && !reason.empty()) fields.fail("status \"ok\" with a \"reason\"");
  if (status != Status::ok && reason.empty()) fields.fail("a status that is not ok needs a \"reason\"");
}

}  // namespace gable::model
