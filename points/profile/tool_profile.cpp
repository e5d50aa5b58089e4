#include "points/profile/tool_profile.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <utility>

#include "base/json.hpp"
#include "base/sorting.hpp"
#include "model/records/add_profile.hpp"
#include "points/profile/variables.hpp"

namespace gable::points {
namespace {

std::string known_symbol(const Json& text) {
  return text == "???" ? "" : text.get<std::string>();
}

std::string text_or_empty(const Json& of, const char* name) {
  const auto found = of.find(name);
  return found == of.end() ? "" : known_symbol(*found);
}

model::ProfilePlace place_from(const Json& of) {
  return {known_symbol(of.at("function")), known_symbol(of.at("image")), text_or_empty(of, "file"),
          of.value("line", 0), of.at("loop").get<std::uint64_t>()};
}

// "0x1234: function (file:line)", "0x1234: function (in image)", "0x1234: ???".
model::ProfileCaller caller_from(const std::string& described, const Json& of) {
  static const std::regex with_line("^0x[0-9A-Fa-f]+: (.*) \\((.*):([0-9]+)\\)$");
  static const std::regex with_image("^0x[0-9A-Fa-f]+: (.*) \\(in .*\\)$");
  model::ProfileCaller caller;
  caller.image = known_symbol(of.at("image"));
  of.at("offset").get_to(caller.offset);
  std::smatch match;
  if (std::regex_match(described, match, with_line)) {
    caller.file = match[2];
    caller.line = std::stoi(match[3]);
  } else if (!std::regex_match(described, match, with_image)) {
    return caller;
  }
  if (match[1] != "???") caller.function = match[1];
  return caller;
}

std::vector<model::ProfileCaller> callers_from(const Json& of) {
  std::vector<model::ProfileCaller> callers;
  for (const Json& caller : of) {
    for (const Json& function : caller.at("functions"))
      callers.push_back(caller_from(function.get<std::string>(), caller));
  }
  return callers;
}

model::ProfileObject object_from(const Json& of, double ended_ms) {
  model::ProfileObject object;
  object.kind = model::named<model::ObjectKind>(of.at("kind").get<std::string>()).value();
  object.name = readable_variable(text_or_empty(of, "name"));
  object.image = text_or_empty(of, "image");
  of.at("blocks").get_to(object.blocks);
  of.at("peak_bytes").get_to(object.peak_bytes);
  const auto part = [&](const char* name) {
    return ended_ms > 0 ? std::min(of.at(name).get<double>() / ended_ms, 1.0) : 1.0;
  };
  object.born = part("first_ms");
  object.died = std::max(part("last_ms"), object.born);
  if (of.contains("thread_local")) {
    object.name = "thread-local variables";
    if (object.kind == model::ObjectKind::mapping) object.peak_bytes = 0;  // most of it is for a stack
    return object;
  }
  if (const auto callers = of.find("callers"); callers != of.end()) object.callers = callers_from(*callers);
  return object;
}

model::Distances distances_from(const Json& of) {
  model::Distances distances;
  for (const Json& pair : of) distances[pair.at(0).get<int>()] = pair.at(1).get<double>();
  return distances;
}

model::UseCounts counts_from(const Json& of) {
  static const char* const orders[model::access_orders] = {"sequential", "independent", "chained"};
  model::UseCounts uses;
  for (int order = 0; order < model::access_orders; ++order) {
    uses.read[order] = distances_from(of.at(orders[order]).at("read"));
    uses.written[order] = distances_from(of.at(orders[order]).at("write"));
  }
  uses.written_back = distances_from(of.at("written_back"));
  return uses;
}

model::LineUses line_uses_from(const Json& of) {
  model::LineUses uses{counts_from(of), {}, distances_from(of.at("near"))};
  for (const auto& [sets, depths] : of.at("sets").items()) uses.sets[std::stoi(sets)] = counts_from(depths);
  return uses;
}

model::ProfileUses uses_from(const Json& of, const std::vector<std::string>& regions) {
  model::ProfileUses uses;
  of.at("place").get_to(uses.place);
  of.at("object").get_to(uses.object);
  if (const auto region = of.at("region").get<std::size_t>(); region > 0)
    uses.region = regions.at(region - 1);
  uses.own = line_uses_from(of.at("own"));
  uses.all = of.contains("all") ? line_uses_from(of.at("all")) : uses.own;
  of.at("streamed").get_to(uses.streamed);
  uses.pages = distances_from(of.at("pages"));
  uses.huge_pages = distances_from(of.at("huge_pages"));
  uses.chains = distances_from(of.at("chains"));
  of.at("strided").get_to(uses.strided);
  of.at("contested").get_to(uses.contested);
  of.at("contested_apart").get_to(uses.contested_apart);
  return uses;
}

// The tool lists instructions: [place, object, whether it stores, executions, bytes].
std::vector<model::ProfileAccesses> accesses_from(const Json& of) {
  std::map<std::pair<int, int>, model::ProfileAccesses> sums;
  for (const Json& each : of) {
    const int place = each.at(0).get<int>(), object = each.at(1).get<int>();
    const double executions = each.at(3).get<double>(), bytes = executions * each.at(4).get<double>();
    model::ProfileAccesses& sum = sums[{place, object}];
    sum.place = place;
    sum.object = object;
    const bool is_store = each.at(2) != 0;
    (is_store ? sum.stores : sum.loads) += executions;
    (is_store ? sum.store_bytes : sum.load_bytes) += bytes;
  }
  std::vector<model::ProfileAccesses> accesses;
  for (const auto& [key, sum] : sums) accesses.push_back(sum);
  return accesses;
}

// The tool lists pages: [page, object, [thread, reads, writes], ...].
std::vector<model::ProfilePages> pages_from(const Json& of,
                                            const std::vector<model::ProfileObject>& objects) {
  constexpr std::uint64_t pages_of_huge = 512;
  std::vector<model::ProfilePages> single;
  for (const Json& page : of) {
    if (objects.at(page.at(1).get<std::size_t>()).kind == model::ObjectKind::stack) continue;
    model::ProfilePages pages;
    page.at(0).get_to(pages.first);
    for (std::size_t i = 2; i < page.size(); ++i)
      pages.users.push_back(
          {page[i].at(0).get<int>(), page[i].at(1).get<double>(), page[i].at(2).get<double>()});
    single.push_back(std::move(pages));
  }
  sort_by(single, &model::ProfilePages::first);
  std::vector<model::ProfilePages> merged;
  for (model::ProfilePages& page : single) {
    const bool is_like_last = !merged.empty() && page.users.size() == 1 && merged.back().users.size() == 1 &&
                              page.users[0].thread == merged.back().users[0].thread &&
                              page.first / pages_of_huge == merged.back().first / pages_of_huge;
    if (!is_like_last) {
      merged.push_back(std::move(page));
      continue;
    }
    ++merged.back().pages;
    merged.back().users[0].reads += page.users[0].reads;
    merged.back().users[0].writes += page.users[0].writes;
  }
  return merged;
}

}  // namespace

model::Profile tool_profile(const Json& from, const std::vector<std::string>& regions) {
  model::Profile profile;
  const auto of = from.at("of").get<double>();
  profile.lines_followed = from.at("lines_followed").get<double>() / of;
  profile.span = std::min(1.0, from.at("span_ppm").get<double>() * 1e-6);
  profile.barriers = from.at("barriers").get<double>();
  profile.serial = from.at("serial_ppm").get<double>() * 1e-6;
  profile.sets_followed = from.at("classes_followed").get<double>() / model::sets_of_page;
  profile.sets_error = from.at("sets_error_ppm").get<double>() * 1e-6;
  profile.pages_followed = from.at("pages_followed").get<double>() / of;
  for (const Json& place : from.at("places")) profile.places.push_back(place_from(place));
  for (const Json& object : from.at("objects")) {
    profile.objects.push_back(object_from(object, from.at("ended_ms").get<double>()));
  }
  profile.accesses = accesses_from(from.at("accesses"));
  for (const Json& uses : from.at("reuse")) profile.uses.push_back(uses_from(uses, regions));
  model::join_same_places(profile);  // a loop that does not run for long has that of what is around it
  profile.pages = pages_from(from.at("pages"), profile.objects);
  profile.shared = from.at("shared").get<std::vector<std::vector<double>>>();
  from.at("shared_lines").get_to(profile.shared_lines);
  return profile;
}

}  // namespace gable::points
