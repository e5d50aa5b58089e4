#include "model/records/names.hpp"

#include <fmt/format.h>

#include <initializer_list>

#include "base/words.hpp"
#include "model/domain/latency_class.hpp"

namespace gable::model {
namespace {

// Joins the words that are not empty with spaces.
std::string words(std::initializer_list<std::string> all) {
  std::string text;
  for (const std::string& word : all) text += (text.empty() || word.empty() ? "" : " ") + word;
  return text;
}

// "DRAM", "MCDRAM"; empty where a skipped Case names no tier.
std::string memory_of(const Case& spec) {
  return is_memory(spec.level) ? name_of(spec.tier) : spec.level.name();
}

std::string place_of(const Case& spec) {
  const bool has_node = (is_memory(spec.level) || is_side_cache(spec.level)) && spec.node >= 0;
  return has_node ? fmt::format("{} node {}", memory_of(spec), spec.node) : memory_of(spec);
}

std::string level_of(const Case& spec) {
  if (is_in_cache(spec.pattern)) return spec.level.name();
  return fmt::format("{}, {}", spec.level.name(), pattern_text(spec.pattern));
}

// What a core does without memory.
std::string core_text(const Case& spec) {
  if (is_peak(spec.kind)) return operation_text(spec);
  if (const auto chained = measured_by(spec.op.name()))
    return fmt::format("latency of {}{}", row_of(*chained).words,
                       contains_multiplication(*chained) ? " and multiplication" : "");
  return spec.op == operations::branch_steady ? "branches with one outcome" : "branches with random outcomes";
}

std::string target_of(const Case& spec) {
  if (in_registers(spec.kind)) return core_text(spec);
  if (!is_memory(spec.level) && (is_in_cache(spec.pattern) || spec.node < 0)) return level_of(spec);
  const std::string nodes = spec.node < 0 ? "all nodes" : fmt::format("node {}", spec.node);
  return fmt::format("{}, {}", words({memory_of(spec), nodes}), pattern_text(spec.pattern));
}

std::string memory_text(const Case& spec) {
  if (in_registers(spec.kind) || !is_memory(spec.level))
    return in_registers(spec.kind) ? core_text(spec) : level_of(spec);
  return fmt::format("{}, {}", name_of(spec.tier), pattern_text(spec.pattern));
}

std::string load_of(const Case& spec) {
  return has_load(spec.kind) ? fmt::format("at {} % load", spec.load_percent) : "";
}

std::string what_of(const Case& spec) {
  if (in_registers(spec.kind)) return (is_peak(spec.kind) ? "peak " : "") + core_text(spec);
  return is_latency(spec.kind) ? words({"latency", load_of(spec)}) : spec.op.name();
}

std::string row_text(const Case& spec) {
  if (in_registers(spec.kind)) return what_of(spec);
  const std::string idle = is_latency(spec.kind) && !has_load(spec.kind) ? "idle" : "";
  return fmt::format("{}, {}", words({idle, what_of(spec)}), target_of(spec));
}

std::string limit_text(const Case& spec) {
  if (in_registers(spec.kind)) return target_of(spec);
  return fmt::format("{} ({})", target_of(spec), spec.op.name());
}

// ", 4 KiB pages"; empty if the page size is unknown.
std::string pages_clause(const Case& spec) {
  return spec.pages.empty() ? "" : fmt::format(", {} pages", pages_text(spec.pages));
}

// Loads use a shorter loop beyond the first cache, which is the same curve.
std::string curve_text(const Case& spec) {
  const std::string kernel =
      spec.kernel.empty() ? "" : fmt::format("{}_{}", spec.op.name(), isa_of(spec.kernel));
  const std::string what = !is_ladder(spec.pattern) ? target_of(spec)
                           : is_latency(spec.kind)  ? what_of(spec)
                                                    : kernel;
  return what + pages_clause(spec) + (spec.smt ? ", all hardware threads" : "");
}

std::string figure_of(const Case& spec) {
  std::string text = fmt::format("cluster {}", spec.cluster);
  if (is_ladder(spec.pattern)) {
    text += ", working set of " + bytes_text(spec.bytes);
  } else if (!in_registers(spec.kind)) {
    const std::string place = place_of(spec);
    text += ", " + (place.empty() ? spec.level.name() : place);
    if (is_in_memory(spec.pattern)) text += ", " + pattern_text(spec.pattern);
  }
  return text + ": " + what_of(spec);
}

std::string cell_of(const Case& spec) {
  const std::string place = is_ladder(spec.pattern)   ? "ladder " + bytes_text(spec.bytes)
                            : in_registers(spec.kind) ? ""
                                                      : place_of(spec);
  const std::string what = spec.kind == Kind::bandwidth ? spec.kernel : operation_text(spec);
  const std::string split =
      spec.other_node < 0 ? ""
                          : fmt::format("({} %, the rest on node {})", spec.node_percent, spec.other_node);
  const std::string weights =
      spec.node_weight > 0 ? fmt::format("interleaved {}:{}", spec.node_weight, spec.other_weight) : "";
  const std::string intensity =
      spec.flop_per_byte > 0 ? fmt::format("at {:g} flop/byte", spec.flop_per_byte) : "";
  return words({fmt::format("cluster {}", spec.cluster), place,
                is_in_memory(spec.pattern) ? name_of(spec.pattern) : "", what, split, weights, intensity,
                load_of(spec)}) +
         pages_clause(spec);
}

// Where a visit reads and writes.
std::string range_of(const Case& spec) {
  if (is_ladder(spec.pattern)) return bytes_text(spec.bytes);
  if (!is_memory(spec.level)) return spec.level.name();
  const std::string tier = name_of(spec.tier), pattern = name_of(spec.pattern);
  if (spec.node < 0) return words({tier.empty() ? "all nodes" : tier, pattern});
  if (spec.other_node < 0) return words({tier, fmt::format("node {} {}", spec.node, pattern)});
  const std::string weights =
      spec.node_weight > 0 ? fmt::format("{}:{}", spec.node_weight, spec.other_weight) : "";
  return words({tier,
                fmt::format("nodes {}+{} {} {} %", spec.node, spec.other_node, pattern, spec.node_percent),
                weights});
}

std::string visit_of(const Case& spec) {
  const std::string cluster = fmt::format(", cluster {}", spec.cluster);
  if (in_registers(spec.kind)) return spec.kernel + cluster;
  const std::string what = streams(spec.kind) ? spec.kernel : words({"latency", load_of(spec)});
  return words({range_of(spec), what, name_of(spec.pages)}) + cluster;
}

std::string group_of(const Case& spec) {
  if (is_peak(spec.kind)) return "floating-point peaks";
  const std::string_view kind = row_of(spec.kind).words;
  if (in_registers(spec.kind)) return std::string(kind);
  if (is_ladder(spec.pattern)) return fmt::format("{}, working-set ladder", kind);
  if (is_in_cache(spec.pattern)) return fmt::format("{}, caches", kind);
  return fmt::format("{}, {} {}", kind, spec.level.name(), name_of(spec.pattern));
}

}  // namespace

std::string name_of(const Case& spec, Style style) {
  switch (style) {
    case Style::place:
      return place_of(spec);
    case Style::level:
      return level_of(spec);
    case Style::target:
      return target_of(spec);
    case Style::memory:
      return memory_text(spec);
    case Style::roof:
      return row_text(spec);
    case Style::limit:
      return limit_text(spec);
    case Style::curve:
      return curve_text(spec);
    case Style::what:
      return what_of(spec);
    case Style::figure:
      return figure_of(spec);
    case Style::cell:
      return cell_of(spec);
    case Style::visit:
      return visit_of(spec);
    case Style::group:
      return group_of(spec);
  }
  return {};
}

std::string name_of(const TierCase& spec) {
  if (is_latency(spec)) return "read latency";
  if (is_load(spec) && spec.access_bytes > 0)
    return fmt::format("{} loads of {}", spec.order, bytes_text(spec.access_bytes));
  if (is_load(spec)) return "loads";
  if (!is_store(spec))
    return fmt::format("STREAM {}{}", spec.what, is_non_temporal(spec.way) ? ", " + way_text(spec.way) : "");
  if (spec.access_bytes == 0) return way_text(spec.way) + " in a stream";
  return fmt::format("{} {} of {}", spec.order, way_text(spec.way), bytes_text(spec.access_bytes));
}

std::string way_text(std::string_view way) {
  if (is_non_temporal(way)) return "NT stores";
  return stays_in_caches(way) ? "stores" : fmt::format("stores and {}", way);
}

std::string name_of(const VirtCase& spec) {
  const VirtMeasure measure = measure_of(spec);
  std::string words(measure.words);
  if (!measure.what_has_bytes.empty())
    words += fmt::format(", {} of {}", measure.what_has_bytes, bytes_text(spec.bytes));
  if (!measure.tells_pages || spec.pages == VirtPages::none) return words;
  return fmt::format("{}, {} pages", words, pages_text(spec.pages));
}

std::string operation_text(const Case& spec) {
  if (spec.precision == Precision::none) return spec.op.name();
  constexpr std::string_view scalar = "_scalar";
  std::string name = spec.op.name();
  const bool is_scalar = name.ends_with(scalar);
  if (is_scalar) name.erase(name.size() - scalar.size());
  return fmt::format("{}{} {}", is_scalar ? "scalar " : "", in_capitals(name), row_of(spec.precision).words);
}

std::string pattern_text(Pattern pattern) {
  return std::string(row_of(pattern).words);
}

std::string pages_text(Pages pages) {
  return pages.empty() ? "" : bytes_text(pages.bytes());
}

std::string pages_text(VirtPages pages) {
  return std::string(row_of(pages).words);
}

std::string isa_of(const std::string& kernel) {
  return kernel.substr(kernel.rfind('_') + 1);
}

std::string variant_text(const Case& spec) {
  const std::string isa = isa_of(spec.kernel);
  for (const Variant& variant : variants) {
    if (spec.kernel.ends_with(fmt::format("{}_{}", variant.suffix, isa)))
      return fmt::format("{} {}", isa, variant.suffix.substr(1));
  }
  return isa;
}

}  // namespace gable::model
