#include "cli/point/level_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/words.hpp"
#include "cli/text/bytes.hpp"

namespace gable::cli {
namespace {

model::LevelBytes one_level(const std::string& text) {
  const auto refuse = [&](const std::string& why) {
    return Error::usage(fmt::format(
        "--level-bytes {}: {}; give LEVEL=READ,WRITTEN, as in L3=9e9,3e9 or DRAM=33.7GB,0.8GB", text, why));
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw refuse("no level");
  const std::string name = text.substr(0, equals);
  model::LevelBytes bytes;
  bytes.level = model::tiers_named(name) ? model::Level::memory() : model::Level(name);
  if (!model::is_memory(bytes.level) && (!model::is_cache(bytes.level) || model::is_first_cache(bytes.level)))
    throw refuse(fmt::format("{} is no cache behind the first one, and no memory", name));
  const std::vector<std::string> amounts = split(text.substr(equals + 1), ',');
  if (amounts.empty() || amounts.size() > 2) throw refuse("not one or two amounts of bytes");
  double* const to[] = {&bytes.read, &bytes.written};
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    const std::optional<double> amount = bytes_from(amounts[i]);
    if (!amount) throw refuse(fmt::format("'{}' is not an amount of bytes", amounts[i]));
    *to[i] = *amount;
  }
  return bytes;
}

}  // namespace

std::vector<model::LevelBytes> level_bytes_from(const std::vector<std::string>& texts) {
  std::vector<model::LevelBytes> levels;
  for (const std::string& text : texts) levels.push_back(one_level(text));
  std::ranges::sort(levels, {}, &model::LevelBytes::level);
  for (std::size_t i = 1; i < levels.size(); ++i) {
    if (levels[i].level == levels[i - 1].level)
      throw Error::usage(fmt::format("--level-bytes: {} twice", levels[i].level.name()));
  }
  return levels;
}

}  // namespace gable::cli
