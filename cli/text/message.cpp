#include "cli/text/message.hpp"

#include <unistd.h>

#include <cstdio>

#include "base/words.hpp"
#include "cli/text/columns.hpp"
#include "cli/text/terminal.hpp"

namespace gable::cli {

void tell(const std::string& text) {
  std::string said = "gable: " + printable(text) + "\n";
  if (const auto columns = terminal_columns(STDERR_FILENO)) {
    std::string lines;
    for (const std::string& line : split(said, '\n')) lines += folded(line, 2, *columns);
    said = lines;
  }
  std::fputs(said.c_str(), stderr);
}

}  // namespace gable::cli
