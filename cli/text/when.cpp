#include "cli/text/when.hpp"

#include <cstddef>

namespace gable::cli {
namespace {

constexpr std::size_t day = 10, minute = 16;  // characters of a time in a file

bool is_time(const std::string& utc) {
  return utc.size() > minute && utc[day] == 'T' && utc.back() == 'Z';
}

}  // namespace

std::string when_text(const std::string& utc) {
  return is_time(utc) ? utc.substr(0, day) + " " + utc.substr(day + 1, minute - day - 1) + " UTC" : utc;
}

std::string when_text(const std::string& from, const std::string& to) {
  if (!is_time(from) || !is_time(to) || from.substr(0, day) == to.substr(0, day)) return when_text(from);
  return from.substr(0, day) + " to " + to.substr(0, day);
}

}  // namespace gable::cli
