#include "cli/predict/objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"

namespace gable::cli {
namespace {

constexpr const char* at_node = "=node:";

[[noreturn]] void refuse_object(const std::string& name, const std::string& why,
                                const std::vector<std::string>& names) {
  throw Error::usage(fmt::format("--memory {}=node:N: {}: {}", name, why, joined(names, std::identity())));
}

// The names of the profile's objects, those with most bytes first.
std::vector<std::string> names_of(const model::Profile& profile) {
  constexpr std::size_t most = 20;
  std::vector<const model::ProfileObject*> objects;
  for (const model::ProfileObject& object : profile.objects) objects.push_back(&object);
  std::ranges::stable_sort(objects, std::greater(), &model::ProfileObject::peak_bytes);
  std::vector<std::string> names;
  for (const model::ProfileObject* object : objects) add_once(names, model::object_name(*object));
  if (names.size() > most) {
    const std::size_t others = names.size() - most;
    names.resize(most);
    names.push_back(count_text(static_cast<std::int64_t>(others), "smaller one"));
  }
  return names;
}

// "x" of "x (app.c:4)".
bool is_short_for(const std::string& text, const std::string& name) {
  return name.starts_with(text + " (");
}

model::PlacedObject placed_object(const model::Profile& profile, const std::string& text, int node) {
  std::set<std::string> whole, shortened;
  for (const model::ProfileObject& object : profile.objects) {
    const std::string name = model::object_name(object);
    if (name == text) whole.insert(name);
    if (is_short_for(text, name)) shortened.insert(name);
  }
  const std::set<std::string>& found = whole.empty() ? shortened : whole;
  if (found.empty()) refuse_object(text, "the profile has no such object; it has", names_of(profile));
  if (found.size() > 1)
    refuse_object(text, "several objects have this name; give one of", {found.begin(), found.end()});
  model::PlacedObject placed{*found.begin(), {}, node};
  for (int i = 0; i < std::ssize(profile.objects); ++i) {
    if (model::object_name(profile.objects[static_cast<std::size_t>(i)]) == placed.name)
      placed.indices.push_back(i);
  }
  return placed;
}

}  // namespace

void take_memory(const std::vector<std::string>& texts, ProgramUse& use) {
  for (const std::string& text : texts) {
    const std::size_t end = text.rfind(at_node);
    if (end == std::string::npos || end == 0) {
      if (!use.memory.empty())
        throw Error::usage(
            fmt::format("--memory {} and {}: give one place of the data, and OBJECT=node:N for "
                        "objects that lie elsewhere",
                        use.memory, text));
      use.memory = text;
      continue;
    }
    const auto node = read_as<int>(std::string_view(text).substr(end + std::string_view(at_node).size()));
    if (!node || *node < 0) throw Error::usage(fmt::format("--memory {}: give OBJECT=node:N", text));
    if (!use.objects.emplace(text.substr(0, end), *node).second)
      throw Error::usage(fmt::format("--memory {}: this object has two places", text));
  }
}

std::vector<model::PlacedObject> placed_objects(const model::Profile& profile,
                                                const std::map<std::string, int>& nodes) {
  std::vector<model::PlacedObject> placed;
  for (const auto& [name, node] : nodes) {
    placed.push_back(placed_object(profile, name, node));
    for (std::size_t i = 0; i + 1 < placed.size(); ++i) {
      if (placed[i].name == placed.back().name)
        refuse_object(name, "this object has two places", {placed.back().name});
    }
  }
  return placed;
}

}  // namespace gable::cli
