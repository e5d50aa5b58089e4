#include "model/json/programs/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "model/json/document.hpp"
#include "model/json/fields.hpp"
#include "model/json/record_io.hpp"

namespace gable::model {
namespace {

constexpr const char* cure = "profile the program again";
constexpr std::array order_names = {"sequential", "independent", "chained"};

// Pairs of a bucket and a number.
Json json_of(const Distances& distances) {
  Json out = Json::array();
  for (const auto& [bucket, lines] : distances) out.push_back({bucket, whole_number(lines)});
  return out;
}

Distances distances_from(const Fields& fields, const char* name, int buckets, bool may_be_negative = false) {
  Distances distances;
  const Json& list = fields.at(name);
  const auto wrong = [&] { fields.fail(fmt::format("\"{}\" must be pairs of a bucket and a number", name)); };
  if (!list.is_array()) wrong();
  for (const Json& pair : list) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_integer() || !pair[1].is_number()) wrong();
    const double bucket = pair[0].get<double>(), lines = pair[1].get<double>();
    if (bucket < 0 || bucket >= buckets)
      fields.fail(fmt::format("\"{}\": there is no bucket {}", name, bucket));
    if (!std::isfinite(lines) || (lines < 0 && !may_be_negative)) wrong();
    if (!distances.try_emplace(pair[0].get<int>(), lines).second) {
      fields.fail(fmt::format("\"{}\": bucket {} is there twice", name, bucket));
    }
  }
  return distances;
}

Json json_of(const UseCounts& uses) {
  Json out = Json::object();
  for (int order = 0; order < access_orders; ++order) {
    out[order_names[order]] = {{"read", json_of(uses.read[order])}, {"write", json_of(uses.written[order])}};
  }
  out["written_back"] = json_of(uses.written_back);
  return out;
}

Json json_of(const LineUses& uses) {
  Json out = json_of(static_cast<const UseCounts&>(uses));
  for (const auto& [sets, depths] : uses.sets) {
    if (depths != UseCounts()) out["sets"][std::to_string(sets)] = json_of(depths);
  }
  return out;
}

UseCounts counts_from(const Fields& fields, int buckets) {
  UseCounts uses;
  for (int order = 0; order < access_orders; ++order) {
    const Fields of_order = fields.object(order_names[order]);
    uses.read[order] = distances_from(of_order, "read", buckets);
    uses.written[order] = distances_from(of_order, "write", buckets);
  }
  uses.written_back = distances_from(fields, "written_back", buckets + 1, true);
  return uses;
}

LineUses uses_from(const Fields& fields) {
  LineUses uses{counts_from(fields, distance_buckets), {}};
  if (!fields.has("sets")) return uses;
  const Fields sets = fields.object("sets");
  for (const int count : recorded_sets) {
    const std::string name = std::to_string(count);
    if (sets.has(name.c_str())) uses.sets[count] = counts_from(sets.object(name.c_str()), depth_buckets);
  }
  return uses;
}

Json json_of(const ProfileCaller& caller) {
  return {{"function", caller.function},
          {"image", caller.image},
          {"file", caller.file},
          {"line", caller.line},
          {"offset", caller.offset}};
}

ProfileCaller caller_from(const Fields& fields) {
  return {fields.text("function"), fields.text("image"), fields.text("file"), fields.integer("line"),
          fields.bytes("offset")};
}

Json json_of(const ProfileObject& object) {
  Json out = {{"kind", object.kind},
              {"name", object.name},
              {"image", object.image},
              {"blocks", object.blocks},
              {"peak_bytes", object.peak_bytes},
              {"born", object.born},
              {"died", object.died},
              {"asker", object.asker},
              {"callers", Json::array()}};
  for (const ProfileCaller& caller : object.callers) out["callers"].push_back(json_of(caller));
  return out;
}

ProfileObject object_from(const Fields& fields) {
  ProfileObject object;
  object.kind = fields.one_of("kind", {"heap", "mapping", "static", "stack", "file", "other"});
  object.name = fields.text("name");
  object.image = fields.text("image");
  object.blocks = fields.bytes("blocks");
  object.peak_bytes = fields.bytes("peak_bytes");
  object.born = fields.number("born");
  object.died = fields.number("died");
  object.callers = fields.array("callers", caller_from);
  object.asker = fields.integer("asker", -1, static_cast<int>(object.callers.size()) - 1);
  return object;
}

Json json_of(const ProfilePlace& place) {
  return {{"function", place.function}, {"image", place.image}, {"file", place.file}, {"line", place.line}};
}

ProfilePlace place_from(const Fields& fields) {
  return {fields.text("function"), fields.text("image"), fields.text("file"), fields.integer("line")};
}

Json json_of(const ProfileAccesses& of) {
  return {{"place", of.place},
          {"object", of.object},
          {"loads", whole_number(of.loads)},
          {"stores", whole_number(of.stores)},
          {"load_bytes", whole_number(of.load_bytes)},
          {"store_bytes", whole_number(of.store_bytes)}};
}

ProfileAccesses accesses_from(const Fields& fields) {
  return {fields.integer("place"), fields.integer("object", -1), fields.number("loads"),
          fields.number("stores"), fields.number("load_bytes"),  fields.number("store_bytes")};
}

Json json_of(const ProfileUses& uses) {
  return {{"place", uses.place},           {"object", uses.object},
          {"region", uses.region},         {"own", json_of(uses.own)},
          {"all", json_of(uses.all)},      {"streamed", whole_number(uses.streamed)},
          {"pages", json_of(uses.pages)},  {"huge_pages", json_of(uses.huge_pages)},
          {"chains", json_of(uses.chains)}};
}

ProfileUses use_from(const Fields& fields) {
  constexpr int chain_lengths = 32;
  ProfileUses uses;
  uses.place = fields.integer("place");
  uses.object = fields.integer("object");
  uses.region = fields.text("region");
  uses.own = uses_from(fields.object("own"));
  uses.all = uses_from(fields.object("all"));
  if (fields.has("streamed")) uses.streamed = fields.number("streamed");
  uses.pages = distances_from(fields, "pages", distance_buckets);
  uses.huge_pages = distances_from(fields, "huge_pages", distance_buckets);
  uses.chains = distances_from(fields, "chains", chain_lengths);
  return uses;
}

Json json_of(const ProfilePages& pages) {
  Json out = {{"first", pages.first}, {"pages", pages.pages}, {"threads", Json::array()}};
  for (const auto& [thread, reads, writes] : pages.users)
    out["threads"].push_back({thread, whole_number(reads), whole_number(writes)});
  return out;
}

ProfilePages pages_from(const Fields& fields) {
  ProfilePages pages;
  pages.first = fields.bytes("first");
  pages.pages = fields.integer("pages", 1, 512);
  const Json& threads = fields.at("threads");
  const auto is_count = [](const Json& value) { return value.is_number() && value.get<double>() >= 0; };
  if (!threads.is_array() || threads.empty())
    fields.fail("\"threads\" must be a list of a thread, its reads and its writes");
  for (const Json& user : threads) {
    if (!user.is_array() || user.size() != 3 || !user[0].is_number_integer() || user[0] < 0 ||
        user[0] >= ProfilePages::most_threads || !is_count(user[1]) || !is_count(user[2]))
      fields.fail("\"threads\" must be a list of a thread, its reads and its writes");
    pages.users.push_back({user[0], user[1], user[2]});
  }
  return pages;
}

// A row of `shared`.
Json json_of(const std::vector<double>& row) {
  Json cells = Json::array();
  for (const double cell : row) cells.push_back(whole_number(cell));
  return {{"with", cells}};
}

std::vector<double> shared_from(const Fields& fields) {
  return fields.numbers("with");
}

Json header_of(const Profile& profile) {
  return {{"command", profile.command},
          {"architecture", profile.architecture},
          {"build", profile.build},
          {"processes", profile.processes},
          {"threads", profile.threads},
          {"lines_followed", profile.lines_followed},
          {"pages_followed", profile.pages_followed},
          {"sets_followed", profile.sets_followed},
          {"sets_error", profile.sets_error},
          {"shared_lines", profile.shared_lines},
          {"started", profile.started}};
}

double part(const Fields& fields, const char* name) {
  const double value = fields.number(name);
  if (!(value > 0 && value <= 1)) fields.fail(fmt::format("\"{}\" must be above 0 and at most 1", name));
  return value;
}

Profile header_from(const Fields& fields) {
  Profile profile;
  profile.command = fields.texts("command");
  profile.architecture = fields.text("architecture");
  profile.build = fields.text("build");
  profile.processes = fields.integer("processes", 1);
  profile.threads = fields.integer("threads", 1);
  profile.lines_followed = part(fields, "lines_followed");
  profile.pages_followed = part(fields, "pages_followed");
  if (fields.has("sets_followed") && fields.number("sets_followed") != 0) {
    profile.sets_followed = part(fields, "sets_followed");
    profile.sets_error = fields.number("sets_error");
  }
  if (fields.has("shared_lines")) profile.shared_lines = fields.number("shared_lines");
  profile.started = fields.text("started");
  return profile;
}

template <typename Record>
void check_indices(const Profile& profile, const std::vector<Record>& records, const char* name,
                   const std::string& path) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    const bool has_place = records[i].place < static_cast<int>(profile.places.size());
    if (has_place && records[i].object < static_cast<int>(profile.objects.size())) continue;
    throw Error::format(path, fmt::format("{}[{}]: \"{}\" is not in the file; {}", name, i,
                                          has_place ? "object" : "place", cure));
  }
}

}  // namespace

std::string profile_to_json(const Profile& profile) {
  const auto to_json = [](const auto& record) { return json_of(record); };
  return fmt::format(
      "{{\"schema\":{},\n{},\n{},\n{},\n{},\n{},\n{},\n{},\n{}}}\n", schema,
      array_to_json("profile", std::vector<Profile>{profile}, header_of),
      array_to_json("functions", profile.functions, record_to_json<FunctionWork>),
      array_to_json("places", profile.places, to_json), array_to_json("objects", profile.objects, to_json),
      array_to_json("accesses", profile.accesses, to_json), array_to_json("uses", profile.uses, to_json),
      array_to_json("pages", profile.pages, to_json), array_to_json("shared", profile.shared, to_json));
}

Profile profile_from_json(const std::string& text, const std::string& path) {
  const Document document(text, path, cure);
  const std::vector<Profile> headers = document.array("profile", header_from);
  if (headers.size() != 1) throw Error::format(path, fmt::format("it is no profile; {}", cure));
  Profile profile = headers.front();
  profile.functions = document.array("functions", record_from<FunctionWork>);
  profile.places = document.array("places", place_from);
  profile.objects = document.array("objects", object_from);
  profile.accesses = document.array("accesses", accesses_from);
  profile.uses = document.array("uses", use_from);
  if (document.has("pages")) profile.pages = document.array("pages", pages_from);
  if (document.has("shared")) profile.shared = document.array("shared", shared_from);
  for (const std::vector<double>& row : profile.shared) {
    if (row.size() != profile.shared.size() ||
        std::ranges::any_of(row, [](double cell) { return !(cell >= 0); }))
      throw Error::format(
          path, fmt::format("\"shared\" must be as many columns as rows of numbers, 0 or more; {}", cure));
  }
  check_indices(profile, profile.accesses, "accesses", path);
  check_indices(profile, profile.uses, "uses", path);
  return profile;
}

}  // namespace gable::model
