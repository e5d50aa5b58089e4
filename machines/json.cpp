#include "machines/json.hpp"

#include <nlohmann/json.hpp>
#include <type_traits>

#include "base/json.hpp"
#include "machines/fields.hpp"

namespace gable::machines {

namespace {

constexpr int schema = 1;

Json to_json(const Core& core) {
  return core.pus;
}

Json to_json(model::Tiers tier) {
  return name_of(tier);
}

Json to_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

template <typename Element>
Json to_json(const std::vector<Element>& list);
template <typename Record>
Json to_json(const Record& record);

// Writes the fields of a record (fields.hpp).
struct Writer {
  Json json = Json::object();

  void operator()(const char* name, const auto& value) { json[name] = to_json(value); }
  template <typename Value>
  void unless(const std::type_identity_t<Value>& except, const char* name, const Value& value) {
    if (value != except) json[name] = to_json(value);
  }
  void required(const char* name, const auto& value) { (*this)(name, value); }
  void derived(const char* name, const auto& value) { (*this)(name, value); }
};

template <typename Element>
Json to_json(const std::vector<Element>& list) {
  Json json = Json::array();
  for (const Element& element : list) json.push_back(to_json(element));
  return json;
}

template <typename Record>
Json to_json(const Record& record) {
  if constexpr (std::is_constructible_v<Json, Record>) {
    return record;
  } else {
    Writer writer;
    describe(writer, record);
    return writer.json;
  }
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

// One line per field, and one per element where the elements are records or rows.
std::string lay_out(const Json& json) {
  std::string text = "{";
  for (const auto& [name, value] : json.items()) {
    text += (text.size() > 1 ? ",\n \"" : "\"") + name + "\": ";
    if (!value.is_array() || value.empty() || !value.front().is_structured()) {
      text += json_text(value);
      continue;
    }
    std::string separator = "[\n  ";
    for (const Json& element : value) {
      text += separator + json_text(element);
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
               {"cpu_model", named ? machine.cpu_model : host->cpu_model}};
  json.update(to_json(machine));
  for (const char* of_host : {"isas", "page_bytes", "hypervisor"}) json[of_host] = nullptr;
  if (host) {
    json["isas"] = isas;
    add_host(json, *host);
  }
  for (const auto& [name, value] : more) json[name] = value;
  return lay_out(json);
}

}  // namespace gable::machines
