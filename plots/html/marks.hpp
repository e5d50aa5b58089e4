#pragma once

// A chart on a page. What a reader can ask of it: the names and figures of its marks, and which of them are
// shown and hidden together. The tags and texts of a drawing tool's SVG.

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plots/charts/chart.hpp"

namespace gable::html {

/// The series that a drawing tool draws, panel by panel in their order.
struct DrawnSeries {
  const charts::Chart* chart;
  const charts::Panel* panel;
  const charts::Series* series;
};
std::vector<DrawnSeries> drawn_series(const charts::Chart& chart);

/// The distinct group names, in order of appearance.
std::vector<std::string> groups_of(const charts::Chart& chart);

/// "s3": the word for a group in the page; empty where it is none of `groups`.
std::string group_word(const std::vector<std::string>& groups, const std::string& group);

/// The figures of a datum: "working set 32 KiB, bandwidth 104 GB/s (103 to 105)".
std::string figures_of(const DrawnSeries& drawn, const charts::Datum& datum);

/// Whether each datum of the series has a mark of its own, with figures that the name does not tell.
bool has_own_marks(const charts::Series& series);

/// The chart with its titles, its picture with switches, its note and its table. `svg`: what gnuplot drew of
/// without_words(chart); empty: there is no picture, and the table is open. Adds the CSS variables that it
/// needs to `colours`.
std::string figure_html(const charts::Chart& chart, const std::string& svg,
                        std::set<charts::Colour>& colours);

/// The chart without the title, subtitle and note, which the page shows as texts: what is to be drawn.
charts::Chart without_words(charts::Chart chart);

/// A chart's picture as a part of a page: gnuplot's SVG, to which names, figures and switches are added from
/// the chart that it was drawn from.
struct Picture {
  std::string svg;                   ///< an element of the page
  std::set<charts::Colour> colours;  ///< CSS variables that it uses (variable_of)
  bool has_marks = false;            ///< whether its marks have names and figures
};

/// The picture joins the chart with the SVG that gnuplot drew of `without_words(chart)`. `prefix` makes its
/// ids unique in the page. An SVG whose groups are not the chart's series is shown without names and
/// switches.
Picture picture_of(const charts::Chart& chart, const std::string& svg, const std::string& prefix);

// The colours of a page, light and dark.

/// The colour of the same hue for a dark page: what was dark on white becomes light on nearly black.
charts::Colour dark_of(charts::Colour colour);

/// The name of the CSS variable that has the colour: "--c0072b2".
std::string variable_of(charts::Colour colour);

/// "--c0072b2:#0072b2;..." of all: the light colours, or the dark ones.
std::string variables(const std::set<charts::Colour>& colours, bool dark);

struct Tag {
  std::string name;  ///< "g", "/g"; empty: a text
  std::vector<std::pair<std::string, std::string>> attributes;
  bool is_empty = false;  ///< <use/>
  std::string text;       ///< of a text, as it reads

  bool opens(std::string_view element) const { return name == element; }
  /// The value of the attribute; empty where there is none.
  std::string_view attribute(std::string_view name) const;
  void set(const std::string& attribute, std::string value);
};

/// The tags from the first <svg> to its end. Only elements and attributes that draw are kept, no scripts,
/// links, images and titles. Texts outside <text> are left out.
std::vector<Tag> drawing_of(std::string_view svg);

/// The tags as HTML.
std::string markup(const std::vector<Tag>& tags);

}  // namespace gable::html
