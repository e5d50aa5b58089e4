#include "cli/show/show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <vector>

#include "base/words.hpp"
#include "cli/fit/fitted.hpp"
#include "cli/fit/hybrid_table.hpp"
#include "cli/folder.hpp"
#include "cli/place/memory/table.hpp"
#include "cli/place/table.hpp"
#include "cli/point/tables/table.hpp"
#include "cli/show/c2c.hpp"
#include "cli/show/json.hpp"
#include "cli/show/screen.hpp"
#include "cli/text/columns.hpp"
#include "cli/text/shell_words.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {
namespace {

std::string titled(const char* title, const std::string& text) {
  return text.empty() ? "" : fmt::format("{}\n\n{}\n", title, text);
}

// Points, placements and tiers, which have no part in the roofs' tables.
std::string other_tables(const ShownFolder& shown) {
  return titled("Points: programs under the roofs",
                shown.points.empty() ? "" : point_table(shown.points, shown.readings, shown.points)) +
         titled("Placements", shown.placed.empty() ? "" : place_table(shown.placed)) +
         titled("Memory benchmarks of the tiers", shown.tiers.empty() ? "" : memory_table(shown.tiers)) +
         (shown.replay.empty() ? "" : folded(shown.replay, 2));
}

// "3 points, 12 placements": what only --all shows.
std::string others_text(const ShownFolder& shown) {
  std::vector<std::string> words;
  const auto add = [&](std::size_t count, const char* noun) {
    if (count > 0) words.push_back(count_text(static_cast<std::int64_t>(count), noun));
  };
  add(shown.points.size(), "point");
  add(shown.placed.size(), "placement");
  add(shown.hybrid.pairs.size(), "hybrid grid");
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string all_text(const ShownFolder& shown) {
  const std::string tables = fit_tables(shown.roofs, shown.hybrid, shown.machine ? &*shown.machine : nullptr);
  return tables + thetas_table(shown.hybrid) + unknown_text(shown) + other_tables(shown) +
         (shown.roofs.roofs.empty()
              ? ""
              : folded(fmt::format("{}, n the repetitions behind a figure; 1 GB/s = 1e9 bytes/s.",
                                   model::interval_rule)));
}

}  // namespace

void show(const ShowArguments& arguments) {
  const ShownFolder shown = read_folder(machine_folder(arguments.folder));
  if (arguments.json) {
    std::fputs(shown_json(shown, arguments.all).c_str(), stdout);
    return;
  }
  const std::string screen = screen_text(shown);
  std::string text = head_text(shown) + "\n" + (screen.empty() ? "No roofs are recorded.\n" : screen);
  if (!shown.c2c.empty()) text += "\n" + c2c_text(shown.c2c);
  if (arguments.all || screen.empty()) {
    text += "\n" + all_text(shown);
  } else {
    const std::string others = others_text(shown);
    text += fmt::format("All tables{}: gable show {} --all\n", others.empty() ? "" : ", with " + others,
                        shell_quoted(arguments.folder));
  }
  std::fputs(text.c_str(), stdout);
}

}  // namespace gable::cli
