#include "cli/compare/facts.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "base/whole_file.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "model/json/fields.hpp"

namespace gable::cli {
namespace {

using nlohmann::json;

struct WantedFact {
  const char *group, *field, *name;
  bool is_bytes = false;
};

// `name` and free memory are others in every run and tell nothing.
constexpr WantedFact wanted_facts[] = {{"hardware", "cpu_model", "CPU"},
                                       {"hardware", "isas", "ISAs"},
                                       {"hardware", "memory_bytes", "memory", true},
                                       {"hardware", "cpus_online", "CPUs online"},
                                       {"hardware", "hypervisor", "hypervisor"},
                                       {"hardware", "emulated", "emulated"},
                                       {"hardware", "microcode", "microcode"},
                                       {"system", "kernel", "kernel"},
                                       {"system", "os", "system"},
                                       {"system", "container", "container"},
                                       {"settings", "governor", "governor"},
                                       {"settings", "thp", "huge pages"},
                                       {"settings", "page_bytes", "page sizes", true},
                                       {"settings", "memory_limit_bytes", "memory limit", true},
                                       {"gable", "version", "gable"},
                                       {"gable", "compiler", "compiler"}};

std::string fact_text(const json& value, bool is_bytes) {
  if (value.is_null()) return "?";
  if (value.is_string()) return printable(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_unsigned() && is_bytes)
    return value.get<std::uint64_t>() == 0 ? "none" : bytes_text(value.get<std::uint64_t>());
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const json& element : value) text += (text.empty() ? "" : ", ") + fact_text(element, is_bytes);
  return text.empty() ? "none" : text;
}

std::string clusters_fact(const RecordedMachine& machine) {
  std::string text;
  for (std::size_t i = 0; i < machine.clusters.size();) {
    const std::size_t cores = machine.clusters[i].core_pus.size(), pus = machine.clusters[i].pus.size();
    std::size_t end = i;
    while (end < machine.clusters.size() && machine.clusters[end].core_pus.size() == cores &&
           machine.clusters[end].pus.size() == pus)
      ++end;
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ",
                        count_text(static_cast<std::int64_t>(end - i), "cluster"),
                        count_text(static_cast<std::int64_t>(cores), "core"));
    if (pus > cores) text += fmt::format(" ({} threads)", pus);
    i = end;
  }
  return text;
}

std::string caches_fact(const RecordedMachine& machine) {
  std::string text;
  for (const RecordedMachine::Cache& cache : machine.caches.value_or(std::vector<RecordedMachine::Cache>()))
    text += fmt::format("{}L{} {} × {}", text.empty() ? "" : ", ", cache.level, cache.count,
                        bytes_text(cache.bytes));
  return text.empty() ? "?" : text;
}

std::uint64_t bytes_in(const json& node, const char* field) {
  const auto found = node.find(field);
  return found != node.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

// One fact for each node, so that the one that changed is named.
void add_nodes(Side& side, const json& nodes) {
  const std::vector<RecordedMachine::Node>& known = side.shown.machine->nodes;
  for (std::size_t i = 0; i < known.size() && i < nodes.size(); ++i) {
    const std::uint64_t bytes = bytes_in(nodes[i], "bytes"),
                        cache = bytes_in(nodes[i], "memory_side_cache_bytes");
    if (cache > 0) side.memory_side_cache_bytes[known[i].os_index] = cache;
    std::string text = known[i].tier;
    if (bytes > 0) text += " " + bytes_text(bytes);
    if (cache > 0) text += fmt::format(", behind a cache of {}", bytes_text(cache));
    side.facts.push_back({"hardware", fmt::format("node {}", known[i].os_index), text});
  }
}

}  // namespace

void read_facts(Side& side) {
  if (!side.shown.machine) return;
  const std::string path = file_in(side.shown.folder, "machine.json");
  const json root = model::parse_json(read_whole(path), path, "docs/formats-measurement.md lists its fields");
  const auto add = [&](const WantedFact& fact) {
    if (!root.contains(fact.field)) return;
    const std::string text = fact_text(root.at(fact.field), fact.is_bytes);
    if (text != "?" && !text.empty()) side.facts.push_back({fact.group, fact.name, text});
  };
  add(wanted_facts[0]);
  side.facts.push_back({"hardware", "clusters", clusters_fact(*side.shown.machine)});
  side.facts.push_back({"hardware", "caches", caches_fact(*side.shown.machine)});
  if (root.contains("nodes")) add_nodes(side, root.at("nodes"));
  for (std::size_t i = 1; i < std::size(wanted_facts); ++i) add(wanted_facts[i]);
}

}  // namespace gable::cli
