#include "model/cluster/roof_lines.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/json/roof.hpp"
#include "model/records/operation.hpp"
#include "model/roofs/roofs.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

constexpr std::string_view value_mark = ",\"value\":";

bool is_of_node(const Case& asked) {
  return makes_roof(asked.pattern) && asked.kind != Kind::validation;
}

// The figure for people.
std::string name_of_case(const Case& asked) {
  std::string text = fmt::format("cluster {}", asked.cluster);
  if (is_peak(asked.kind)) return text + ": peak " + operation_text(asked);
  if (!is_memory(asked.level)) text += ", " + asked.level.name();
  if (is_side_cache(asked.level) && asked.node >= 0) text += fmt::format(" of node {}", asked.node);
  if (is_memory(asked.level))
    text += asked.node < 0 ? ", " + name_of(asked.tier)
                           : fmt::format(", {} node {}", name_of(asked.tier), asked.node);
  if (is_in_memory(asked.pattern)) text += ", " + pattern_text(asked.pattern);
  if (asked.kind == Kind::bandwidth) return text + ": " + asked.op;
  return text + (asked.kind == Kind::latency ? ": latency"
                                             : fmt::format(": latency at {} % load", asked.load_percent));
}

// The number behind `mark`, not a number for null; `rest` then begins behind it. False where there is none.
bool take_number(std::string_view& rest, std::string_view mark, double& number) {
  if (!rest.starts_with(mark)) return false;
  rest.remove_prefix(mark.size());
  if (rest.starts_with("null")) {
    number = NAN;
    rest.remove_prefix(4);
    return true;
  }
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc()) return false;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return true;
}

// The text between the quotes behind `mark`; empty where there is none.
std::string_view text_behind(std::string_view rest, std::string_view mark) {
  const std::size_t begin = rest.find(mark);
  if (begin == std::string_view::npos) return {};
  rest.remove_prefix(begin + mark.size());
  return rest.substr(0, rest.find('"'));
}

}  // namespace

int RoofLines::question_of(const Case& asked, const std::string& unit) {
  if (!is_of_node(asked)) return -1;
  const std::string key =
      fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}", name_of(asked.kind), asked.cluster, asked.level.name(),
                  name_of(asked.pattern), asked.node, name_of(asked.tier), asked.op, name_of(asked.precision),
                  asked.load_percent);
  const auto [place, is_new] = by_key_.emplace(key, static_cast<int>(questions_.size()));
  if (is_new) questions_.push_back({name_of_case(asked), unit, asked});
  return place->second;
}

// A roof is the best over kernels and page sizes.
void RoofLines::add(std::vector<NodeFigure>& figures, int question, Status status, double value, double lo,
                    double hi) {
  if (question < 0) return;
  const auto index = static_cast<std::size_t>(question);
  if (figures.size() <= index) figures.resize(index + 1);
  NodeFigure& known = figures[index];
  if (status != Status::ok || !(value > 0)) return;
  const bool better = questions_[index].lower_is_better() ? value < known.value : value > known.value;
  if (!std::isnan(known.value) && !better) return;
  known = {value, lo > 0 && hi > lo ? std::log(hi / lo) / 2 / normal_95 : 0};
}

// False for a line that gable did not write.
bool RoofLines::read_line(std::string_view line, const std::string& path, std::vector<NodeFigure>& figures) {
  const std::size_t at = line.find(value_mark);
  if (at == std::string_view::npos) return false;
  std::string_view rest = line.substr(at);
  double value = 0, lo = 0, hi = 0;
  if (!take_number(rest, value_mark, value) || !take_number(rest, ",\"lo\":", lo) ||
      !take_number(rest, ",\"hi\":", hi))
    return false;
  const std::string_view status = text_behind(rest, "\"status\":\"");
  if (status.empty()) return false;
  const auto [place, is_new] = by_case_text_.emplace(std::string(line.substr(0, at)), -1);
  if (is_new) {
    const std::string whole(line.substr(0, line.rfind('}') + 1));
    const nlohmann::json object = parse_json(whole, path, "run `gable fit` again");
    const Roof roof = roof_from(Fields(object, path));
    place->second = question_of(roof.asked, roof.unit);
  }
  const Status known = status == "ok" ? Status::ok : status == "skipped" ? Status::skipped : Status::invalid;
  add(figures, place->second, known, value, lo, hi);
  return true;
}

std::vector<NodeFigure> RoofLines::read(const std::string& text, const std::string& path) {
  std::vector<NodeFigure> figures;
  const std::size_t begin = text.find("\"roofs\":["), end = text.find("\n]", begin);
  bool ours = begin != std::string::npos && end != std::string::npos;
  std::string_view rest = ours ? std::string_view(text).substr(begin, end - begin) : std::string_view();
  for (std::size_t at = rest.find('\n'); ours && at != std::string_view::npos; at = rest.find('\n')) {
    rest.remove_prefix(at + 1);
    ours = read_line(rest.substr(0, rest.find('\n')), path, figures);
  }
  if (ours) return figures;
  figures.clear();
  for (const Roof& roof : roofs_from_json(text, path).roofs)
    add(figures, question_of(roof.asked, roof.unit), roof.status, roof.value, roof.lo, roof.hi);
  return figures;
}

}  // namespace gable::model
