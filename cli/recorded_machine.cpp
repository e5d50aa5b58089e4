#include "cli/recorded_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>
#include "base/error.hpp"
#include "base/json.hpp"
#include "base/lists.hpp"
#include "cli/folder.hpp"
#include "cli/text/arguments.hpp"
#include "machines/fields.hpp"
#include "model/json/fields.hpp"

#include "base/files.hpp"
#include "base/reading.hpp"
#include "base/words.hpp"

namespace gable::cli {

namespace {

namespace fs = std::filesystem;
using model::Fields;

// Fields that a file of another writer may lack.
std::string text_of(const Fields& fields, const char* name) {
  return fields.has(name) ? fields.text(name) : std::string();
}

bool is_list_of_indices(const Json& list) {
  return list.is_array() &&
         std::ranges::all_of(list, [](const Json& one) { return one.is_number_unsigned(); });
}

bool is_list_of_numbers(const Json& list) {
  return list.is_array() && std::ranges::all_of(list, [](const Json& one) { return one.is_number(); });
}

// Reads the fields of a record (machines/fields.hpp).
struct Reader {
  const Fields& fields;

  template <typename Value>
  void operator()(const char* name, Value& value) {
    if (fields.has(name)) required(name, value);
  }
  template <typename Value>
  void unless(const std::type_identity_t<Value>& except, const char* name, Value& value) {
    value = except;
    (*this)(name, value);
  }
  void derived(const char*, const auto&) {}

  void required(const char* name, std::string& text) { text = fields.text(name); }
  void required(const char* name, int& number) { number = fields.integer(name); }
  void required(const char* name, unsigned& number) { number = static_cast<unsigned>(fields.integer(name)); }
  void required(const char* name, std::uint64_t& bytes) { bytes = fields.bytes(name); }
  void required(const char* name, bool& flag) { flag = fields.boolean(name); }
  void required(const char* name, model::Tiers& tier) { tier = fields.tiers(name); }
  void required(const char* name, std::optional<double>& number) { number = fields.number(name); }
  void required(const char* name, std::vector<unsigned>& list) {
    if (!is_list_of_indices(fields.at(name)))
      fields.fail(fmt::format("\"{}\" must be an array of whole numbers", name));
    list = fields.at(name).get<std::vector<unsigned>>();
  }
  void required(const char* name, std::vector<int>& list) {
    std::vector<unsigned> indices;
    required(name, indices);
    list.assign(indices.begin(), indices.end());
  }
  void required(const char* name, std::vector<std::vector<double>>& rows) {
    rows = lists(name, is_list_of_numbers, "numbers").get<std::vector<std::vector<double>>>();
  }
  void required(const char* name, std::vector<machines::Core>& cores) {
    for (const Json& pus : lists(name, is_list_of_indices, "whole numbers")) {
      if (pus.empty()) fields.fail(fmt::format("\"{}\" has a core without a hardware thread", name));
      cores.push_back({pus.get<std::vector<unsigned>>()});
    }
  }
  template <typename Record>
  void required(const char* name, std::vector<Record>& records) {
    records = fields.array<Record>(name, record_from<Record>);
  }

  const Json& lists(const char* name, bool (*is_list)(const Json&), const char* what) const {
    const Json& all = fields.at(name);
    if (!all.is_array() || !std::ranges::all_of(all, is_list))
      fields.fail(fmt::format("\"{}\" must be an array of arrays of {}", name, what));
    return all;
  }

  template <typename Record>
  static Record record_from(const Fields& fields) {
    Record record;
    Reader reader{fields};
    describe(reader, record);
    complete(reader, record);
    return record;
  }
  // What a reader checks or adds.
  static void complete(Reader& reader, machines::Cache& cache) {
    cache.level = reader.fields.integer("level", 1, 9);
    if (reader.fields.has("ways")) cache.ways = reader.fields.integer("ways", 0);
  }
  static void complete(Reader& reader, machines::Cluster& cluster) {
    std::vector<unsigned> pus;
    if (!reader.fields.has("core_pus")) reader("pus", pus);
    for (const unsigned pu : pus) cluster.cores.push_back({{pu}});
  }
  static void complete(Reader&, auto&) {}
};

template <typename Record>
std::vector<Record> published(const Fields& fields, Record (*from)(const Fields&)) {
  return fields.has("published") ? fields.array<Record>("published", from) : std::vector<Record>();
}

// A figure without a tier is of something else; its tier stays empty.
RecordedMachine::Claim claim_from(const Fields& fields) {
  if (!fields.has("tier")) return {};
  return {fields.text("tier"),
          model::Operation(
              fields.one_of("op", {model::operations::load.name(), model::operations::store.name()})),
          fields.number("value")};
}

// Without an operation if the figure is another one. Older files have no "kind".
RecordedMachine::PerCycle per_cycle_from(const Fields& fields) {
  if (!fields.has("kind")) return {};
  const bool measured = fields.one_of("kind", {"theoretical", "experimental"}) == "experimental";
  return {fields.text("op"), measured, fields.number("value"), fields.text("source")};
}

// In GHz; 0 of a figure that is no clock.
double clock_from(const Fields& fields) {
  return text_of(fields, "what") == "clock" && text_of(fields, "unit") == "GHz" ? fields.number("value") : 0;
}

// Texts as they are, bytes in words, lists with commas; a missing value is empty.
std::string fact_text(const Json& value, bool is_bytes) {
  if (value.is_string()) return printable(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_unsigned() && is_bytes)
    return value == 0U ? "none" : bytes_text(value.get<std::uint64_t>());
  if (value.is_number()) return json_text(value);
  return joined(value.is_array() ? value : Json::array(),
                [&](const Json& element) { return fact_text(element, is_bytes); });
}

std::vector<Fact> facts_from(const Fields& fields) {
  struct Wanted {
    const char *group, *field, *name;
  };
  // `name` and free memory are others in every run and say nothing.
  constexpr Wanted wanted[] = {{"hardware", "cpu_model", "CPU"},
                               {"hardware", "isas", "instruction sets"},
                               {"hardware", "memory_bytes", "memory"},
                               {"hardware", "cpus_online", "CPUs online"},
                               {"hardware", "hypervisor", "hypervisor"},
                               {"hardware", "emulated", "emulated"},
                               {"hardware", "microcode", "microcode"},
                               {"system", "kernel", "kernel"},
                               {"system", "os", "system"},
                               {"system", "container", "container"},
                               {"settings", "governor", "frequency governor"},
                               {"settings", "thp", "transparent huge pages"},
                               {"settings", "page_bytes", "page sizes"},
                               {"settings", "memory_limit_bytes", "memory limit"},
                               {"gable", "version", "Gable"},
                               {"gable", "compiler", "compiler"}};
  std::vector<Fact> facts;
  for (const auto& [group, field, name] : wanted) {
    if (!fields.has(field)) continue;
    std::string text = fact_text(fields.at(field), std::string_view(field).ends_with("_bytes"));
    if (!text.empty()) facts.push_back({group, name, std::move(text)});
  }
  return facts;
}

RecordedMachine machine_from(const Fields& fields) {
  RecordedMachine machine;
  machine.name = text_of(fields, "name");
  machine.cpu_model = text_of(fields, "cpu_model");
  machine.lists_caches = fields.has("caches");
  Reader reader{fields};
  describe(reader, static_cast<machines::Machine&>(machine));
  machine.emulated = fields.has("emulated") && fields.boolean("emulated");
  if (fields.has("memory_bytes")) machine.memory_bytes = fields.bytes("memory_bytes");
  machine.claims = published(fields, claim_from);
  std::erase_if(machine.claims, [](const RecordedMachine::Claim& claim) { return claim.tier.empty(); });
  machine.per_cycle = published(fields, per_cycle_from);
  std::erase_if(machine.per_cycle, [](const RecordedMachine::PerCycle& rate) { return rate.op.empty(); });
  for (const double clock : published(fields, clock_from))
    machine.clock_ghz = std::max(machine.clock_ghz, clock);
  if (fields.has("not_published")) machine.not_published = fields.texts("not_published");
  if (fields.has("sources")) machine.sources = fields.texts("sources");
  if (fields.has("isas") && fields.at("isas").is_array()) machine.isas = fields.texts("isas");
  if (fields.has("thp") && fields.at("thp").is_string()) machine.huge_pages = fields.text("thp");
  machine.facts = facts_from(fields);
  return machine;
}

// What to do about a broken machine.json in this folder.
std::string cure_of(const std::string& folder) {
  const fs::path path(folder);
  return fmt::format("write it anew: `gable machine --xml {} --json > {}`",
                     shell_quoted(path / "topology.xml"), shell_quoted(path / "machine.json"));
}

}  // namespace

RecordedMachine machine_from_json(const std::string& text, const std::string& path, const std::string& cure) {
  const Json root = model::parse_json(text, path, cure);
  const Fields fields(root, path + ":1");
  if (fields.has("schema")) fields.schema();
  try {
    return reading(path, path + ":1", [&] { return machine_from(fields); });
  } catch (const Error& error) {
    throw Error::format(error.where, error.text() + "; " + cure);
  }
}

const machines::Cluster* RecordedMachine::cluster(int index) const {
  const auto found = std::ranges::find(clusters, index, &machines::Cluster::index);
  return found == clusters.end() ? nullptr : &*found;
}

model::Tiers RecordedMachine::tier_of(int node) const {
  const auto found = std::ranges::find(nodes, node, &machines::Node::os_index);
  return found == nodes.end() ? model::Tiers() : found->tier;
}

std::optional<RecordedMachine> recorded_machine(const std::string& folder) {
  const std::string path = file_in(folder, "machine.json");
  if (!fs::exists(path)) return std::nullopt;
  return machine_from_json(read_whole(path), path, cure_of(folder));
}

const std::vector<machines::Cache>& recorded_caches(const RecordedMachine& machine,
                                                    const std::string& folder) {
  if (machine.lists_caches) return machine.caches;
  throw Error::format(file_in(folder, "machine.json"), 1, "\"caches\" is missing; " + cure_of(folder));
}

bool is_emulated(const std::string& folder) {
  const std::optional<RecordedMachine> machine = recorded_machine(folder);
  return machine && machine->emulated;
}

bool same_machine(const RecordedMachine& a, const RecordedMachine& b) {
  const auto same_node = [](const machines::Node& one, const machines::Node& other) {
    return one.os_index == other.os_index && one.tier == other.tier;
  };
  // Older recordings do not have the microarchitecture, nor the ways of caches.
  const auto same_caches = [](const std::vector<machines::Cache>& one,
                              const std::vector<machines::Cache>& other) {
    return std::ranges::equal(one, other, [](machines::Cache x, const machines::Cache& y) {
      if (x.ways == 0 || y.ways == 0) x.ways = y.ways;
      return x == y;
    });
  };
  const auto same_cluster = [&](const machines::Cluster& one, const machines::Cluster& other) {
    return std::tie(one.index, one.kind, one.cores, one.nodes) ==
               std::tie(other.index, other.kind, other.cores, other.nodes) &&
           same_caches(one.caches, other.caches);
  };
  return a.cpu_model == b.cpu_model && same_caches(a.caches, b.caches) &&
         std::ranges::equal(a.clusters, b.clusters, same_cluster) &&
         std::ranges::equal(a.nodes, b.nodes, same_node);
}

}  // namespace gable::cli
