#include "model/records/names.hpp"

#include <fmt/format.h>

#include <initializer_list>

#include "base/words.hpp"

namespace gable::model {
namespace {

// Joins the words that are not empty with spaces.
std::string words(std::initializer_list<std::string> all) {
  std::string text;
  for (const std::string& word : all) text += (text.empty() || word.empty() ? "" : " ") + word;
  return text;
}

// "DRAM", "MCDRAM"; empty where a skipped Case names no tier.
std::string memory_of(const Case& asked) {
  return is_memory(asked.level) ? name_of(asked.tier) : asked.level.name();
}

std::string place_of(const Case& asked) {
  const bool has_node = (is_memory(asked.level) || is_side_cache(asked.level)) && asked.node >= 0;
  return has_node ? fmt::format("{} node {}", memory_of(asked), asked.node) : memory_of(asked);
}

std::string level_of(const Case& asked) {
  if (is_in_cache(asked.pattern)) return asked.level.name();
  return fmt::format("{}, {}", asked.level.name(), pattern_text(asked.pattern));
}

std::string target_of(const Case& asked) {
  if (is_peak(asked.kind)) return operation_text(asked);
  if (!is_memory(asked.level) && (is_in_cache(asked.pattern) || asked.node < 0)) return level_of(asked);
  const std::string nodes = asked.node < 0 ? "all nodes" : fmt::format("node {}", asked.node);
  return fmt::format("{}, {}", words({memory_of(asked), nodes}), pattern_text(asked.pattern));
}

std::string memory_text(const Case& asked) {
  if (is_peak(asked.kind) || !is_memory(asked.level))
    return is_peak(asked.kind) ? operation_text(asked) : level_of(asked);
  return fmt::format("{}, {}", name_of(asked.tier), pattern_text(asked.pattern));
}

std::string load_of(const Case& asked) {
  return has_load(asked.kind) ? fmt::format("at {} % load", asked.load_percent) : "";
}

std::string what_of(const Case& asked) {
  if (is_peak(asked.kind)) return "peak " + operation_text(asked);
  return is_latency(asked.kind) ? words({"latency", load_of(asked)}) : asked.op.name();
}

std::string row_text(const Case& asked) {
  if (is_peak(asked.kind)) return what_of(asked);
  const std::string idle = is_latency(asked.kind) && !has_load(asked.kind) ? "idle" : "";
  return fmt::format("{}, {}", words({idle, what_of(asked)}), target_of(asked));
}

std::string limit_text(const Case& asked) {
  if (is_peak(asked.kind)) return target_of(asked);
  return fmt::format("{} ({})", target_of(asked), asked.op.name());
}

// Loads use a shorter loop beyond the first cache, which is the same curve.
std::string curve_text(const Case& asked) {
  const std::string kernel =
      asked.kernel.empty() ? "" : fmt::format("{}_{}", asked.op.name(), isa_of(asked.kernel));
  const std::string what = !is_ladder(asked.pattern) ? target_of(asked)
                           : is_latency(asked.kind)  ? what_of(asked)
                                                     : kernel;
  return what + pages_clause(asked) + (asked.smt ? ", all hardware threads" : "");
}

std::string figure_of(const Case& asked) {
  std::string text = fmt::format("cluster {}", asked.cluster);
  if (is_ladder(asked.pattern)) {
    text += ", working set of " + bytes_text(asked.bytes);
  } else if (!is_peak(asked.kind)) {
    const std::string place = place_of(asked);
    text += ", " + (place.empty() ? asked.level.name() : place);
    if (is_in_memory(asked.pattern)) text += ", " + pattern_text(asked.pattern);
  }
  return text + ": " + what_of(asked);
}

std::string cell_of(const Case& asked) {
  const std::string place = is_ladder(asked.pattern) ? "ladder " + bytes_text(asked.bytes)
                            : is_peak(asked.kind)    ? ""
                                                     : place_of(asked);
  const std::string what = asked.kind == Kind::bandwidth ? asked.kernel : operation_text(asked);
  const std::string split =
      asked.other_node < 0 ? ""
                           : fmt::format("({} %, the rest on node {})", asked.node_percent, asked.other_node);
  const std::string weights =
      asked.node_weight > 0 ? fmt::format("interleaved {}:{}", asked.node_weight, asked.other_weight) : "";
  const std::string intensity =
      asked.flop_per_byte > 0 ? fmt::format("at {:g} flop/byte", asked.flop_per_byte) : "";
  return words({fmt::format("cluster {}", asked.cluster), place,
                is_in_memory(asked.pattern) ? name_of(asked.pattern) : "", what, split, weights, intensity,
                load_of(asked)}) +
         pages_clause(asked);
}

// Where a visit reads and writes.
std::string range_of(const Case& asked) {
  if (is_ladder(asked.pattern)) return bytes_text(asked.bytes);
  if (!is_memory(asked.level)) return asked.level.name();
  const std::string tier = name_of(asked.tier), pattern = name_of(asked.pattern);
  if (asked.node < 0) return words({tier.empty() ? "all nodes" : tier, pattern});
  if (asked.other_node < 0) return words({tier, fmt::format("node {} {}", asked.node, pattern)});
  const std::string weights =
      asked.node_weight > 0 ? fmt::format("{}:{}", asked.node_weight, asked.other_weight) : "";
  return words({tier,
                fmt::format("nodes {}+{} {} {} %", asked.node, asked.other_node, pattern, asked.node_percent),
                weights});
}

std::string visit_of(const Case& asked) {
  const std::string cluster = fmt::format(", cluster {}", asked.cluster);
  if (is_peak(asked.kind)) return asked.kernel + cluster;
  const std::string what = streams(asked.kind) ? asked.kernel : words({"latency", load_of(asked)});
  return words({range_of(asked), what, name_of(asked.pages)}) + cluster;
}

std::string group_of(const Case& asked) {
  if (is_peak(asked.kind)) return "floating-point peaks";
  const std::string_view kind = row_of(asked.kind).words;
  if (is_ladder(asked.pattern)) return fmt::format("{}, working-set ladder", kind);
  if (is_in_cache(asked.pattern)) return fmt::format("{}, caches", kind);
  return fmt::format("{}, {} {}", kind, asked.level.name(), name_of(asked.pattern));
}

}  // namespace

std::string name_of(const Case& asked, Style style) {
  switch (style) {
    case Style::place:
      return place_of(asked);
    case Style::level:
      return level_of(asked);
    case Style::target:
      return target_of(asked);
    case Style::memory:
      return memory_text(asked);
    case Style::roof:
      return row_text(asked);
    case Style::limit:
      return limit_text(asked);
    case Style::curve:
      return curve_text(asked);
    case Style::what:
      return what_of(asked);
    case Style::figure:
      return figure_of(asked);
    case Style::cell:
      return cell_of(asked);
    case Style::visit:
      return visit_of(asked);
    case Style::group:
      return group_of(asked);
  }
  return {};
}

std::string name_of(const TierCase& asked) {
  if (is_latency(asked)) return "read latency";
  if (is_load(asked)) return "loads";
  if (!is_store(asked))
    return fmt::format("STREAM {}{}", asked.what,
                       is_non_temporal(asked.way) ? ", " + way_text(asked.way) : "");
  if (asked.access_bytes == 0) return way_text(asked.way) + " in a stream";
  return fmt::format("{} {} of {}", asked.order, way_text(asked.way), bytes_text(asked.access_bytes));
}

std::string way_text(std::string_view way) {
  if (is_non_temporal(way)) return "NT stores";
  return stays_in_caches(way) ? "stores" : fmt::format("stores and {}", way);
}

std::string name_of(const VirtCase& asked) {
  const VirtMeasure measure = measure_of(asked);
  std::string words(measure.words);
  if (!measure.what_has_bytes.empty())
    words += fmt::format(", {} of {}", measure.what_has_bytes, bytes_text(asked.bytes));
  if (!measure.tells_pages || asked.pages == VirtPages::none) return words;
  return fmt::format("{}, {} pages", words, pages_text(asked.pages));
}

std::string operation_text(const Case& asked) {
  if (asked.precision == Precision::none) return asked.op.name();
  constexpr std::string_view scalar = "_scalar";
  std::string name = asked.op.name();
  const bool is_scalar = name.ends_with(scalar);
  if (is_scalar) name.erase(name.size() - scalar.size());
  return fmt::format("{}{} {}", is_scalar ? "scalar " : "", in_capitals(name), row_of(asked.precision).words);
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

std::string pages_clause(const Case& asked) {
  return asked.pages.empty() ? "" : fmt::format(", {} pages", pages_text(asked.pages));
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

}  // namespace gable::model
