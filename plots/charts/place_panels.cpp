// The panels of the pictures of placements: their table, their axes, and where they stand.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "model/json/case.hpp"
#include "model/tiers/advice.hpp"
#include "plots/charts/place.hpp"

namespace gable::cli {

using model::Placed;
using model::Status;

namespace {

constexpr double million = 1e6;
constexpr double left_room = 92, top_room = 112, bottom_room = 92, gap_x = 84, gap_y = 84;

}  // namespace

std::string team_text(int threads, bool smt) {
  return fmt::format("{}, one a {}", count_text(threads, "thread"), smt ? "hardware thread" : "core");
}

PlacePanels::PlacePanels(const std::vector<Placed>& records)
    : letters_(model::tier_letters(records)),
      table_({"panel", "title", "graph", "variant", "cluster", "threads", "smt", "placement", "series", "x",
              "mteps", "lo", "hi", "n", "status", "reason"}) {
  for (const Placed& record : records) {
    const std::string code = model::placement_code(record, letters_);
    if (std::ranges::find(codes_, code) == codes_.end()) codes_.push_back(code);
  }
}

void PlacePanels::add(const std::string& title, int row, const std::vector<Placed>& records,
                      PlaceAt (*at)(const Placed&)) {
  std::vector<PlaceAt> places;
  for (const Placed& record : records) places.push_back(at(record));
  add(title, row, records, places);
}

void PlacePanels::add(const std::string& title, int row, const std::vector<Placed>& records,
                      const std::vector<PlaceAt>& at) {
  std::vector<std::size_t> order(records.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return at[i].x; });
  for (const std::size_t i : order) {
    const Placed& record = records[i];
    const std::string code = model::placement_code(record, letters_);
    table_.add_row();
    table_.set("panel", panels_);
    table_.set("title", title);
    table_.set("graph", record.graph);
    table_.set("variant", record.variant);
    table_.set("cluster", record.cluster);
    table_.set("threads", record.threads);
    table_.set("smt", record.smt ? "yes" : "no");
    table_.set("placement", code);
    table_.set("series", static_cast<double>(std::ranges::find(codes_, code) - codes_.begin()));
    table_.set("x", at[i].x);
    table_.set("status", model::name_of(record.status));
    table_.set("reason", record.reason);
    tics_[at[i].x] = at[i].text;
    if (record.status != Status::ok) {
      ++missing_;
      continue;
    }
    const model::Estimate teps = model::teps(record);
    table_.set("mteps", teps.value / million);
    table_.set("n", teps.n);
    table_.set("lo", teps.lo / million);
    table_.set("hi", teps.hi / million);
    // The interval of two or three runs may be wider than the picture: its stroke then ends at the frame.
    const double shown = std::min(teps.hi, 1.5 * teps.value);
    beyond_ = beyond_ || teps.hi > shown;
    most_[row] = std::max(most_[row], shown / million);
  }
  rows_.push_back(row);
  ++panels_;
}

std::string PlacePanels::note() const {
  std::string text = "Graph and temporary data in: ";
  bool first = true;
  for (const auto& [tier, letter] : letters_) {
    text += fmt::format("{}{} = {}", first ? "" : ", ", letter, tier);
    first = false;
  }
  text += ". Strokes: 95 % confidence intervals";
  text += beyond_ ? "; one that reaches the frame goes on beyond it." : ".";
  if (missing_ > 0) text += fmt::format(" Not drawn: {} skipped or invalid, reasons in the table.", missing_);
  return text;
}

void PlacePanels::tell_axis(Chart& chart, bool bars, bool log_x) const {
  Variables& variables = chart.variables;
  const double least = tics_.begin()->first, most = tics_.rbegin()->first;
  variables["bars"] = bars ? 1.0 : 0.0;
  variables["log_x"] = log_x ? 1.0 : 0.0;
  variables["x_from"] = bars ? -0.5 : log_x ? least / 1.2 : 0;
  variables["x_to"] = bars ? most + 0.5 : log_x ? most * 1.2 : most * 1.06;
  variables["tics"] = static_cast<double>(tics_.size());
  int number = 0;
  for (const auto& [x, text] : tics_) {
    variables[fmt::format("tic_{}", ++number)] = x;
    variables[fmt::format("tic_{}_text", number)] = text.empty() ? fmt::format("{:g}", x) : text;
  }
  variables["series"] = static_cast<double>(codes_.size());
  double at = left_room;
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    variables[fmt::format("series_{}", i)] = codes_[i];
    variables[fmt::format("series_{}_x", i)] = at;
    at += 34 + text_width(codes_[i]) + 14;
  }
  for (int panel = 0; panel < panels_; ++panel) {
    const double top = most_.at(rows_[static_cast<std::size_t>(panel)]);
    variables[fmt::format("most_{}", panel)] = top > 0 ? 1.08 * top : 1.0;
  }
}

void PlacePanels::lay_out(Chart& chart, int columns, bool bars) const {
  Variables& variables = chart.variables;
  double group = 0;  // what the bars of one graph take, or their name
  for (const auto& [unused, text] : tics_)
    group = std::max({group, text_width(text) + 14, 16 * static_cast<double>(codes_.size()) + 20});
  const double width = bars ? std::max(300.0, group * static_cast<double>(tics_.size())) : 340, height = 270;
  const int rows = (panels_ + columns - 1) / columns;
  const double wide = left_room + columns * (width + gap_x) - gap_x + 24;
  const double legend = std::get<double>(variables.at(fmt::format("series_{}_x", codes_.size() - 1))) + 120;
  const double texts =
      std::max({text_width(std::get<std::string>(variables["subtitle_text"])) + 40,
                1.4 * text_width(std::get<std::string>(variables["title_text"])) + 40,
                0.9 * text_width(std::get<std::string>(variables["note_text"])) + 40, legend});
  Canvas{std::max(wide, texts),
         top_room + rows * (height + gap_y) - gap_y + bottom_room,
         left_room,
         24,
         top_room,
         bottom_room}
      .tell(variables);
  variables["panels"] = static_cast<double>(panels_);
  variables["columns"] = static_cast<double>(columns);
  variables["panel_width"] = width;
  variables["panel_height"] = height;
  variables["step_x"] = width + gap_x;
  variables["step_y"] = height + gap_y;
  variables["left_room"] = left_room;
  variables["top_room"] = top_room;
}

void PlacePanels::finish(Chart& chart, const std::string& x_label, int columns, bool bars, bool log_x) {
  for (const int row : rows_) most_.try_emplace(row, 0.0);
  chart.variables["x_label"] = x_label;
  chart.variables["note_text"] = note();
  tell_axis(chart, bars, log_x);
  lay_out(chart, std::min(columns, panels_), bars);
  chart.table = std::move(table_);
}

}  // namespace gable::cli
