#include "model/cluster/roof_lines.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/json/document.hpp"
#include "model/json/roof.hpp"
#include "model/records/names.hpp"
#include "model/records/question.hpp"
#include "model/roofs/roofs.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

constexpr std::string_view value_mark = ",\"value\":";

bool is_of_node(const Case& spec) {
  return makes_roof(spec.pattern) && spec.kind != Kind::validation;
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

int RoofLines::question_of(const Case& spec, const std::string& unit) {
  if (!is_of_node(spec)) return -1;
  const auto [place, is_new] =
      by_key_.emplace(key(gable::model::question_of(spec)), static_cast<int>(questions_.size()));
  if (is_new) questions_.push_back({name_of(spec, Style::figure), unit, spec});
  return place->second;
}

// The best one of its question, as everywhere (model/records/question.hpp).
void RoofLines::add(std::vector<NodeFigure>& figures, int question, const Roof& roof) {
  if (question < 0) return;
  const auto index = static_cast<std::size_t>(question);
  if (figures.size() <= index) figures.resize(index + 1);
  NodeFigure& known = figures[index];
  if (roof.status != Status::ok || !(roof.value > 0)) return;
  const Rank rank = rank_of(roof);
  if (!std::isnan(known.value) &&
      !is_better(rank, {Status::ok, known.other_state, rank.lower_is_better, known.value}))
    return;
  const bool has_interval = roof.lo > 0 && roof.hi > roof.lo;
  known = {roof.value, has_interval ? std::log(roof.hi / roof.lo) / 2 / normal_95 : 0, roof.other_state};
}

void RoofLines::add_time(std::vector<NodeFigure>& figures, const std::string& name,
                         const Estimate& estimate) {
  Roof roof;
  roof.spec.kind = Kind::latency;
  roof.spec.pattern = Pattern::remote;  // not a cluster's own
  roof.value = estimate.value;
  roof.lo = estimate.lo;
  roof.hi = estimate.hi;
  const auto [place, is_new] = by_key_.emplace(name, static_cast<int>(questions_.size()));
  if (is_new) questions_.push_back({name, "ns", roof.spec});
  add(figures, place->second, roof);
}

// False for a line that gable did not write.
bool RoofLines::read_line(std::string_view line, const std::string& path, std::vector<NodeFigure>& figures) {
  const std::size_t at = line.find(value_mark);
  if (at == std::string_view::npos) return false;
  std::string_view rest = line.substr(at);
  Roof figure;
  if (!take_number(rest, value_mark, figure.value) || !take_number(rest, ",\"lo\":", figure.lo) ||
      !take_number(rest, ",\"hi\":", figure.hi))
    return false;
  const auto status = named<Status>(text_behind(rest, "\"status\":\""));
  if (!status) return false;
  figure.status = *status;
  figure.other_state = rest.find(",\"other_state\":true") != std::string_view::npos;
  const auto [place, is_new] = by_case_text_.emplace(std::string(line.substr(0, at)), -1);
  if (is_new) {
    const std::string whole(line.substr(0, line.rfind('}') + 1));
    const Json object = parse_json(whole, path, how_to_fit_again(path));
    const Roof roof = roof_from(Fields(object, path));
    place->second = question_of(roof.spec, roof.unit);
  }
  if (place->second >= 0) figure.spec.kind = questions_[static_cast<std::size_t>(place->second)].spec.kind;
  add(figures, place->second, figure);
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
    add(figures, question_of(roof.spec, roof.unit), roof);
  return figures;
}

}  // namespace gable::model
