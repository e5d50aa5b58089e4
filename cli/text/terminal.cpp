#include "cli/text/terminal.hpp"

#include <sys/ioctl.h>

namespace gable::cli {

std::optional<std::size_t> terminal_columns(int descriptor) {
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col <= 1) return {};
  return size.ws_col;
}

}  // namespace gable::cli
