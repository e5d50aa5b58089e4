#include "cli/measure/first_table.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/folder.hpp"
#include "cli/show/recorded.hpp"
#include "cli/show/screen.hpp"

namespace gable::cli {

FirstTable::FirstTable(std::string folder, double due_after)
    : folder_(std::move(folder)), due_after_(due_after) {
  std::error_code unknown;
  printed_ = std::filesystem::exists(file_in(folder_, "roofs.json"), unknown);
}

bool FirstTable::is_due(double seconds_left) const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  return !printed_ && passed.count() >= due_after_ && seconds_left >= due_after_;
}

void FirstTable::print() {
  printed_ = true;
  const std::string screen = screen_text(read_samples_alone(folder_));
  if (screen.empty()) return;
  fmt::print("First figures, from the visits so far; the rest is being measured:\n\n{}\n", screen);
  std::fflush(stdout);
}

}  // namespace gable::cli
