#include "cli/text/message.hpp"

#include <unistd.h>

#include <cstdio>

#include "base/words.hpp"
#include "cli/text/columns.hpp"
#include "cli/text/terminal.hpp"

namespace gable::cli {

void tell(const std::string& text) {
  std::string said = "gable: " + printable(text) + "\n";
  if (const auto columns = terminal_columns(STDERR_FILENO)) said = folded_lines(said, 2, *columns);
  std::fputs(said.c_str(), stderr);
}

}  // namespace gable::cli
