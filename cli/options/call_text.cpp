#include "cli/options/call_text.hpp"

#include <fmt/format.h>

#include "cli/text/shell_words.hpp"

namespace gable::cli {

std::string call_text(const CLI::App& command) {
  std::string text = command.get_name();
  for (const CLI::App* parent = command.get_parent(); parent != nullptr; parent = parent->get_parent())
    text = parent->get_name() + " " + text;
  for (const CLI::Option* option : command.get_options()) {
    const bool is_flag = option->get_expected_max() == 0;
    if (is_flag && option->count() > 0) text += " " + option->get_name();
    if (is_flag) continue;
    for (const std::string& value : option->results())
      text += option->get_positional() ? " " + shell_quoted(value)
                                       : fmt::format(" {} {}", option->get_name(), shell_quoted(value));
  }
  return text;
}

}  // namespace gable::cli
