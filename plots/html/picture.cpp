
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "plots/html/marks.hpp"

namespace gable::html {

using charts::Chart;
using charts::Colour;
using charts::Mark;
using charts::Series;

namespace {

using Tags = std::vector<Tag>;

// "rgb( 34,  34,  34)", "#1f87bd", "black".
std::optional<Colour> colour_from(std::string_view text) {
  if (text == "black") return 0x000000;
  if (text == "white") return 0xffffff;
  if (text.starts_with('#') && text.size() == 7) return read_as<Colour>(text.substr(1), 16);
  if (!text.starts_with("rgb(")) return {};
  Colour colour = 0;
  const char *at = text.data() + 4, *const end = text.data() + text.size();
  for (int part = 0; part < 3; ++part) {
    while (at < end && (*at == ' ' || *at == ',')) ++at;
    Colour value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value > 255) return {};
    colour = colour << 8U | value;
    at = next;
  }
  return colour;
}

void use_variables(Tags& tags, std::set<Colour>& colours) {
  static constexpr std::array<std::string_view, 4> coloured = {"fill", "stroke", "color", "flood-color"};
  for (Tag& tag : tags) {
    for (auto& [name, value] : tag.attributes) {
      if (!is_among(coloured, name)) continue;
      const std::optional<Colour> colour = colour_from(value);
      if (!colour) continue;
      colours.insert(*colour);
      value = fmt::format("var({})", variable_of(*colour));
    }
  }
}

void make_unique(Tags& tags, const std::string& prefix) {
  for (Tag& tag : tags) {
    for (auto& [name, value] : tag.attributes) {
      if (name == "id") value.insert(0, prefix);
      if (value.starts_with("#") && name == "href") value.insert(1, prefix);
      if (value.starts_with("url(#")) value.insert(5, prefix);
      if (value.starts_with("url('#")) value.insert(6, prefix);
    }
  }
}

// The end of the element that opens at `first`.
std::size_t end_of(const Tags& tags, std::size_t first) {
  const std::string close = "/" + tags[first].name;
  int depth = 0;
  for (std::size_t i = first; i < tags.size(); ++i) {
    if (tags[i].name == tags[first].name && !tags[i].is_empty) ++depth;
    if (tags[i].name == close && --depth == 0) return i;
  }
  return tags.size();
}

// A mark that can be pointed at and focused. The first of a picture takes part in the order of tabs, the
// arrow keys lead on to the others.
void make_mark(Tag& tag, const std::string& name, const std::string& figures, bool& is_first) {
  tag.set("class", std::string(tag.attribute("class").empty() ? "" : "series ") + "mark");
  tag.set("tabindex", is_first ? "0" : "-1");
  tag.set("role", "img");
  tag.set("aria-label", figures.empty() ? name : name + ": " + figures);
  tag.set("data-name", name);
  is_first = false;
}

// Each datum's own symbol or bar. False where there are more or fewer than data.
bool mark_data(Tags& tags, std::size_t first, std::size_t end, const DrawnSeries& drawn, bool& is_first) {
  const Series& series = *drawn.series;
  const char* const element = series.mark == Mark::points ? "use" : "polygon";
  std::vector<std::size_t> found;
  for (std::size_t i = first; i < end; ++i) {
    if (tags[i].opens(element)) found.push_back(i);
  }
  if (found.size() != series.data.size()) return false;
  for (std::size_t i = 0; i < found.size(); ++i)
    make_mark(tags[found[i]], series.name, figures_of(drawn, series.data[i]), is_first);
  return true;
}

bool is_series(const Tag& tag) {
  return tag.opens("g") && tag.attribute("id").starts_with("gnuplot_plot_");
}

// gnuplot's groups are the series, in their order.
bool add_marks(Tags& tags, const Chart& chart) {
  const std::vector<DrawnSeries> all = drawn_series(chart);
  if (static_cast<std::size_t>(std::ranges::count_if(tags, is_series)) != all.size()) return false;
  const std::vector<std::string> groups = groups_of(chart);
  bool is_first = true;
  std::size_t number = 0;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (!is_series(tags[i])) continue;
    const DrawnSeries& drawn = all[number++];
    tags[i].attributes.clear();
    tags[i].set("class", "series");
    if (const std::string word = group_word(groups, drawn.series->group_name()); !word.empty())
      tags[i].set("data-series", word);
    if (drawn.series->name.empty()) continue;
    if (has_own_marks(*drawn.series) && mark_data(tags, i, end_of(tags, i), drawn, is_first)) continue;
    make_mark(tags[i], drawn.series->name, drawn.series->detail, is_first);
  }
  return true;
}

// Labels are the last texts of the picture, in their order.
void add_label_groups(Tags& tags, const Chart& chart) {
  const std::vector<std::string> groups = groups_of(chart);
  std::size_t end = tags.size();
  for (auto label = chart.labels.rbegin(); label != chart.labels.rend(); ++label) {
    std::size_t i = end;
    while (i > 0 && (!tags[i - 1].name.empty() || tags[i - 1].text != label->text)) --i;
    if (i == 0) continue;
    end = i - 1;
    while (i > 0 && !tags[i - 1].opens("g")) --i;
    if (i == 0 || label->groups.empty()) continue;
    std::string words;
    for (const std::string& group : label->groups) {
      const std::string word = group_word(groups, group);
      if (!word.empty()) words += (words.empty() ? "" : " ") + word;
    }
    if (!words.empty()) tags[i - 1].set("data-label-of", words);
  }
}

// The height that nothing uses where the title would be.
double empty_top(const Chart& chart) {
  double top = chart.height;
  for (const charts::Panel& panel : chart.panels)
    top = std::min(top, panel.area.top - (panel.x_on_top ? 30 : panel.title.empty() ? 10 : 22));
  for (const charts::LegendEntry& entry : chart.legend) top = std::min(top, entry.y - 12);
  for (const charts::Label& label : chart.labels) top = std::min(top, label.y - label.size);
  return std::max(0.0, std::floor(top));
}

}  // namespace

Chart without_words(Chart chart) {
  chart.title.clear();
  chart.subtitle.clear();
  chart.note.clear();
  return chart;
}

Picture picture_of(const Chart& chart, const std::string& svg, const std::string& prefix) {
  Picture picture;
  Tags tags = drawing_of(svg);
  if (tags.empty()) return picture;
  picture.has_marks = add_marks(tags, chart);
  if (picture.has_marks) add_label_groups(tags, chart);
  make_unique(tags, prefix);
  use_variables(tags, picture.colours);
  const double top = empty_top(chart), height = page_height(without_words(chart)) - top;
  tags.front().attributes = {{"class", "picture"},
                             {"viewBox", fmt::format("0 {:g} {:.0f} {:.0f}", top, chart.width, height)},
                             {"role", "group"},
                             {"aria-label", chart.title},
                             {"style", fmt::format("--w:{:.0f}px", chart.width)}};
  picture.svg = markup(tags);
  return picture;
}

}  // namespace gable::html
