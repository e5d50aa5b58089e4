#include "model/records/operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace gable::model {

std::optional<double> load_share_of(std::string op) {
  if (op.ends_with("_nt")) op.resize(op.size() - 3);
  if (op == "load" || op == "ddot") return 1;
  if (op == "store") return 0;
  if (op == "copy" || op == "scale") return 1.0 / 2;
  if (op == "add" || op == "triad") return 2.0 / 3;
  if (!op.starts_with("mix")) return std::nullopt;
  const char* const end = op.data() + op.size();
  double loads = 0, stores = 0;
  const auto [slash, error] = std::from_chars(op.data() + 3, end, loads);
  if (error != std::errc{} || slash == end || *slash != '_') return std::nullopt;
  if (std::from_chars(slash + 1, end, stores).ec != std::errc{}) return std::nullopt;
  return loads / (loads + stores);
}

bool bypasses_caches(const std::string& op) {
  return op.ends_with("_nt") && load_share_of(op).value_or(0) < 1;  // non-temporal loads use the caches
}

bool bypasses_its_cache(const Case& asked) {
  return is_in_cache(asked.pattern) && bypasses_caches(asked.op);
}

std::string without_variant(std::string_view op) {
  for (const Variant& variant : variants) {
    if (op.ends_with(variant.suffix)) op.remove_suffix(variant.suffix.size());
  }
  return std::string(op);
}

std::string isa_of(const std::string& kernel) {
  return kernel.substr(kernel.rfind('_') + 1);
}

std::string variant_text(const Case& asked) {
  const std::string isa = isa_of(asked.kernel);
  for (const Variant& variant : variants) {
    if (asked.kernel.ends_with(fmt::format("{}_{}", variant.suffix, isa)))
      return fmt::format("{} {}", isa, variant.suffix.substr(1));
  }
  return isa;
}

std::string in_capitals(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

std::string operation_text(const Case& asked) {
  return asked.precision == Precision::none ? asked.op
                                            : in_capitals(asked.op + " " + name_of(asked.precision));
}

std::string pattern_text(Pattern pattern) {
  return std::string(row_of(pattern).words);
}

}  // namespace gable::model
