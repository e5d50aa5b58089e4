#include "cli/point/access_option.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"
#include "cli/text/bytes.hpp"

namespace gable::cli {
namespace {

model::NodeAccess one_node(const std::string& text) {
  const auto refuse = [&](const std::string& why) {
    return Error::usage(fmt::format(
        "--access {}: {}; give NODE=load:BYTES,store:BYTES, as in 0=load:3e9,store:1GB", text, why));
  };
  const std::size_t equals = text.find('=');
  const auto node = read_as<int>(text.substr(0, equals));
  if (equals == std::string::npos || !node || *node < 0) throw refuse("no node");
  model::NodeAccess access;
  access.node = *node;
  std::vector<std::string> seen;
  for (const std::string& part : split(text.substr(equals + 1), ',')) {
    const std::size_t colon = part.find(':');
    const std::string what = part.substr(0, colon);
    if (colon == std::string::npos || (what != "load" && what != "store"))
      throw refuse(fmt::format("'{}' is neither load:BYTES nor store:BYTES", part));
    if (std::ranges::find(seen, what) != seen.end()) throw refuse(what + " twice");
    seen.push_back(what);
    const auto bytes = bytes_from(part.substr(colon + 1));
    if (!bytes) throw refuse(fmt::format("{}: '{}' is not an amount of bytes", what, part.substr(colon + 1)));
    (what == "load" ? access.load : access.store) = *bytes;
  }
  if (seen.empty()) throw refuse("no bytes");
  return access;
}

}  // namespace

std::vector<model::NodeAccess> access_from(const std::vector<std::string>& texts) {
  std::vector<model::NodeAccess> all;
  for (const std::string& text : texts) all.push_back(one_node(text));
  return all;
}

}  // namespace gable::cli
