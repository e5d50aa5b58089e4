#include "machines/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.hpp"

namespace gable::machines {

namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 1;

Json to_json(const Cache& cache) {
  Json json = {{"level", cache.level},
               {"bytes", cache.bytes},
               {"count", cache.count},
               {"pus_sharing", cache.pus_sharing},
               {"cores_sharing", cache.cores_sharing}};
  if (cache.largest_bytes != cache.bytes) json["largest_bytes"] = cache.largest_bytes;
  return json;
}

Json to_json(const Node& node) {
  Json json = {{"os_index", node.os_index}, {"tier", name_of(node.tier)}};
  if (!node.subtype.empty()) json["subtype"] = node.subtype;
  json["bytes"] = node.bytes;
  json["cpuless"] = node.cpuless;
  json["memory_side_cache_bytes"] = node.memory_side_cache_bytes;
  json["local_to"] = node.local_to;
  return json;
}

Json to_json(const Attribute& attribute) {
  Json json = {{"cluster", attribute.cluster}, {"node", attribute.node}};
  if (attribute.gb_per_s) json["gb_per_s"] = *attribute.gb_per_s;
  if (attribute.ns) json["ns"] = *attribute.ns;
  return json;
}

Json to_json(const Cluster& cluster);

template <typename Record>
Json to_json(const std::vector<Record>& records) {
  Json list = Json::array();
  for (const Record& record : records) list.push_back(to_json(record));
  return list;
}

Json to_json(const Cluster& cluster) {
  std::vector<unsigned> pus;
  Json cores = Json::array();
  for (const Core& core : cluster.cores) {
    pus.insert(pus.end(), core.pus.begin(), core.pus.end());
    cores.push_back(core.pus);
  }
  std::sort(pus.begin(), pus.end());
  Json json = {
      {"index", cluster.index}, {"cores", cluster.cores.size()},    {"pus", pus}, {"nodes", cluster.nodes},
      {"core_pus", cores},      {"caches", to_json(cluster.caches)}};
  if (!cluster.kind.empty()) json["kind"] = cluster.kind;
  if (!cluster.core.empty()) json["core"] = cluster.core;
  return json;
}

void add_host(Json& json, const Host& host) {
  json["page_bytes"] = host.page_bytes;
  json["hypervisor"] = host.hypervisor.empty() ? "none" : host.hypervisor;
  json["emulated"] = host.emulated;
  json["container"] = host.container.empty() ? "none" : host.container;
  json["kernel"] = host.kernel;
  json["os"] = host.os;
  json["governor"] = host.governor;
  json["thp"] = host.thp;
  json["microcode"] = host.microcode;
  json["cpus_online"] = host.cpus_online;
  json["memory_bytes"] = host.memory_bytes;
  json["memory_limit_bytes"] = host.memory_limit_bytes;
  json["memory_available_bytes"] = nullptr;
  if (host.memory_available_bytes) json["memory_available_bytes"] = *host.memory_available_bytes;
}

std::string one_line(const Json& json) {
  return json_text(json);
}

// One line per field, and one per element where the elements are records or rows.
std::string lay_out(const Json& json) {
  std::string text = "{";
  for (const auto& [name, value] : json.items()) {
    text += (text.size() > 1 ? ",\n \"" : "\"") + name + "\": ";
    if (!value.is_array() || value.empty() || !value.front().is_structured()) {
      text += one_line(value);
      continue;
    }
    std::string separator = "[\n  ";
    for (const Json& element : value) {
      text += separator + one_line(element);
      separator = ",\n  ";
    }
    text += "\n ]";
  }
  return text + "}\n";
}

}  // namespace

std::string machine_json(const Machine& machine, const Host* host, const std::vector<std::string>& isas,
                         const std::map<std::string, std::string>& more) {
  const bool named = !machine.cpu_model.empty() || !host;
  Json json = {{"schema", schema},
               {"name", machine.name.empty() && host ? host->name : machine.name},
               {"cpu_model", named ? machine.cpu_model : host->cpu_model},
               {"clusters", to_json(machine.clusters)},
               {"nodes", to_json(machine.nodes)},
               {"caches", to_json(machine.caches)},
               {"distances", machine.distances},
               {"attributes", to_json(machine.attributes)},
               {"isas", nullptr},
               {"page_bytes", nullptr},
               {"hypervisor", nullptr}};
  if (host) {
    json["isas"] = isas;
    add_host(json, *host);
  }
  for (const auto& [name, value] : more) json[name] = value;
  return lay_out(json);
}

}  // namespace gable::machines
