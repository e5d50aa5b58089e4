#include "model/json/programs/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.hpp"
#include "model/json/document.hpp"
#include "model/json/fields.hpp"
#include "model/json/record_io.hpp"

namespace gable::model {

template <typename Io>
void describe(Io& io, As<ProfileCaller> auto& caller) {
  io.required("function", caller.function);
  io.required("image", caller.image);
  io.required("file", caller.file);
  io.required("line", caller.line);
  io.required("offset", caller.offset);
}

template <typename Io>
void describe(Io& io, As<ProfileObject> auto& object) {
  io.required("kind", object.kind);
  io.required("name", object.name);
  io.required("image", object.image);
  io.required("blocks", object.blocks);
  io.required("peak_bytes", object.peak_bytes);
  io.required("born", object.born);
  io.required("died", object.died);
  io.or_minus_1("asker", object.asker);
  io.required("callers", object.callers);
}

void check(const Fields& fields, const ProfileObject& object) {
  fields.integer("asker", -1, static_cast<int>(object.callers.size()) - 1);
}

template <typename Io>
void describe(Io& io, As<ProfilePlace> auto& place) {
  io.required("function", place.function);
  io.required("image", place.image);
  io.required("file", place.file);
  io.required("line", place.line);
  io.given(place.loop > 0, "loop", place.loop);
}

template <typename Io>
void describe(Io& io, As<ProfileAccesses> auto& of) {
  io.required("place", of.place);
  io.or_minus_1("object", of.object);
  io.required("loads", count(of.loads));
  io.required("stores", count(of.stores));
  io.required("load_bytes", count(of.load_bytes));
  io.required("store_bytes", count(of.store_bytes));
}

// What is not a list.
template <typename Io>
void describe(Io& io, As<Profile> auto& profile) {
  io.required("command", profile.command);
  io.required("architecture", profile.architecture);
  io.required("build", profile.build);
  io.required("processes", profile.processes);
  io.required("threads", profile.threads);
  io.optional("busiest_thread", profile.busiest_thread);
  io.optional("span", profile.span);
  io.required("lines_followed", profile.lines_followed);
  io.required("pages_followed", profile.pages_followed);
  io.optional("sets_followed", profile.sets_followed);
  io.optional("sets_error", profile.sets_error);
  io.optional("shared_lines", profile.shared_lines);
  io.required("started", profile.started);
  io.optional("signal", profile.signal);
  io.optional("barriers", profile.barriers);
  io.optional("serial", profile.serial);
}

void check(const Fields& fields, const Profile& profile) {
  fields.integer("processes", 1);
  fields.integer("threads", 1);
  const auto check_part = [&](const char* name, double part) {
    if (!(part > 0 && part <= 1)) fields.fail(fmt::format("\"{}\" must be above 0 and at most 1", name));
  };
  check_part("lines_followed", profile.lines_followed);
  check_part("pages_followed", profile.pages_followed);
  if (profile.sets_followed != 0) check_part("sets_followed", profile.sets_followed);
  if (profile.busiest_thread != 0) check_part("busiest_thread", profile.busiest_thread);
  if (profile.span != 0) check_part("span", profile.span);
  if (profile.serial != 0) check_part("serial", profile.serial);
}

namespace {

constexpr const char* cure = "profile the program again";
constexpr std::array order_names = {"sequential", "independent", "chained"};

// Pairs of a bucket and a number.
Json json_of(const Distances& distances) {
  Json out = Json::array();
  for (const auto& [bucket, lines] : distances) out.push_back({bucket, whole_number(lines)});
  return out;
}

// What has no number is left out: of most functions and objects, nearly everything.
void add(const char* name, const Distances& distances, Json& out) {
  if (!distances.empty()) out[name] = json_of(distances);
}

Distances distances_from(const Fields& fields, const char* name, int buckets, bool may_be_negative = false) {
  Distances distances;
  if (!fields.has(name)) return distances;
  const Json& list = fields.at(name);
  const auto wrong = [&] { fields.fail(fmt::format("\"{}\" must be pairs of a bucket and a number", name)); };
  if (!list.is_array()) wrong();
  for (const Json& pair : list) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_integer() || !pair[1].is_number()) wrong();
    const double bucket = pair[0].get<double>(), lines = pair[1].get<double>();
    if (bucket < 0 || bucket >= buckets)
      fields.fail(fmt::format("\"{}\": there is no bucket {}", name, bucket));
    if (!std::isfinite(lines) || (lines < 0 && !may_be_negative)) wrong();
    if (std::fabs(lines) > most_of_a_number)
      fields.fail(fmt::format("the numbers of \"{}\" are beyond any machine", name));
    if (!distances.try_emplace(pair[0].get<int>(), lines).second) {
      fields.fail(fmt::format("\"{}\": bucket {} is there twice", name, bucket));
    }
  }
  return distances;
}

Json json_of(const UseCounts& uses) {
  Json out = Json::object();
  for (int order = 0; order < access_orders; ++order) {
    Json of_order = Json::object();
    add("read", uses.read[order], of_order);
    add("write", uses.written[order], of_order);
    if (!of_order.empty()) out[order_names[order]] = std::move(of_order);
  }
  add("written_back", uses.written_back, out);
  return out;
}

Json json_of(const LineUses& uses) {
  Json out = json_of(static_cast<const UseCounts&>(uses));
  for (const auto& [sets, depths] : uses.sets) {
    if (depths != UseCounts()) out["sets"][std::to_string(sets)] = json_of(depths);
  }
  add("near", uses.near, out);
  return out;
}

UseCounts counts_from(const Fields& fields, int buckets) {
  UseCounts uses;
  for (int order = 0; order < access_orders; ++order) {
    if (!fields.has(order_names[order])) continue;
    const Fields of_order = fields.object(order_names[order]);
    uses.read[order] = distances_from(of_order, "read", buckets);
    uses.written[order] = distances_from(of_order, "write", buckets);
  }
  uses.written_back = distances_from(fields, "written_back", buckets + 1, true);
  return uses;
}

LineUses uses_from(const Fields& fields) {
  LineUses uses{
      counts_from(fields, distance_buckets), {}, distances_from(fields, "near", distance_buckets, true)};
  if (!fields.has("sets")) return uses;
  const Fields sets = fields.object("sets");
  for (const int count : recorded_sets) {
    const std::string name = std::to_string(count);
    if (sets.has(name.c_str())) uses.sets[count] = counts_from(sets.object(name.c_str()), depth_buckets);
  }
  return uses;
}

Json json_of(const ProfileUses& uses) {
  Json out = {
      {"place", uses.place}, {"object", uses.object}, {"region", uses.region}, {"own", json_of(uses.own)}};
  if (uses.all != uses.own) out["all"] = json_of(uses.all);  // those of one thread are the same
  if (uses.streamed != 0) out["streamed"] = whole_number(uses.streamed);
  add("pages", uses.pages, out);
  add("huge_pages", uses.huge_pages, out);
  add("chains", uses.chains, out);
  if (uses.contested != 0) out["contested"] = whole_number(uses.contested);
  if (uses.contested_apart != 0) out["contested_apart"] = whole_number(uses.contested_apart);
  if (uses.strided != 0) out["strided"] = whole_number(uses.strided);
  return out;
}

ProfileUses use_from(const Fields& fields) {
  constexpr int chain_lengths = 32;
  ProfileUses uses;
  uses.place = fields.integer("place");
  uses.object = fields.integer("object");
  uses.region = fields.text("region");
  uses.own = uses_from(fields.object("own"));
  uses.all = fields.has("all") ? uses_from(fields.object("all")) : uses.own;
  if (fields.has("streamed")) uses.streamed = fields.number("streamed");
  uses.pages = distances_from(fields, "pages", distance_buckets);
  uses.huge_pages = distances_from(fields, "huge_pages", distance_buckets);
  uses.chains = distances_from(fields, "chains", chain_lengths);
  if (fields.has("contested")) uses.contested = fields.number("contested");
  if (fields.has("contested_apart")) uses.contested_apart = fields.number("contested_apart");
  if (fields.has("strided")) uses.strided = fields.number("strided");
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
  const auto is_count = [](const Json& value) {
    return value.is_number() && value.get<double>() >= 0 && value.get<double>() <= most_of_a_number;
  };
  if (!threads.is_array() || threads.empty())
    fields.fail("\"threads\" must be a list of a thread, its reads and its writes");
  for (const Json& user : threads) {
    if (!user.is_array() || user.size() != 3 || !user[0].is_number_integer() || user[0] < 0 ||
        user[0] >= ProfilePages::most_threads || !is_count(user[1]) || !is_count(user[2]))
      fields.fail("\"threads\" must be a list of a thread, its reads and its writes");
    pages.users.push_back({user[0].get<int>(), user[1].get<double>(), user[2].get<double>()});
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
  return fmt::format("{{\"schema\":{},\n\"profile\":[\n{}\n],\n{},\n{},\n{},\n{},\n{},\n{},\n{}}}\n", schema,
                     json_text(record_to_json(profile)),
                     array_to_json("functions", profile.functions, record_to_json<FunctionWork>),
                     array_to_json("places", profile.places, record_to_json<ProfilePlace>),
                     array_to_json("objects", profile.objects, record_to_json<ProfileObject>),
                     array_to_json("accesses", profile.accesses, record_to_json<ProfileAccesses>),
                     array_to_json("uses", profile.uses, to_json),
                     array_to_json("pages", profile.pages, to_json),
                     array_to_json("shared", profile.shared, to_json));
}

Profile profile_from_json(const std::string& text, const std::string& path) {
  const Document document(text, path, cure);
  const std::vector<Profile> headers = document.array("profile", record_from<Profile>);
  if (headers.size() != 1) throw Error::format(path, fmt::format("it is no profile; {}", cure));
  Profile profile = headers.front();
  profile.functions = document.array("functions", record_from<FunctionWork>);
  profile.places = document.array("places", record_from<ProfilePlace>);
  profile.objects = document.array("objects", record_from<ProfileObject>);
  profile.accesses = document.array("accesses", record_from<ProfileAccesses>);
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
