#pragma once

// A chart before it is drawn: everything that a drawing tool needs, completely computed. All positions on the
// page are in points (1/72 inch) from its upper left corner.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plots/charts/table.hpp"

namespace gable::charts {

using Colour = std::uint32_t;  ///< 0xRRGGBB
enum class Symbol {
  disc,
  ring,
  square,
  open_square,
  triangle,
  open_triangle,
  inverted,
  open_inverted,
  diamond,
  open_diamond,
  pentagon,
  open_pentagon
};

struct Style {
  Colour colour = 0x222222;
  double width = 1.8;             ///< of lines, in points
  std::vector<double> dash = {};  ///< lengths of strokes and gaps; empty: solid
  Symbol symbol = Symbol::disc;
  double size = 0.7;     ///< of symbols; 1 is about 10 points
  double opacity = 1;    ///< of fills
  bool hatched = false;  ///< fills are hatched, so that they are distinguishable in grey
  bool falling = false;  ///< hatches fall from left to right instead of rising
  bool capped = false;   ///< intervals have caps at ends that lie inside the axes
};

enum class Mark {
  line,              ///< through x, y; a y that is not a number breaks it
  points,            ///< symbols at x, y
  intervals,         ///< vertical strokes at x from lo to hi, cut at the axes
  intervals_across,  ///< horizontal strokes at y from lo to hi
  bars,              ///< upright, from the lower end of the y axis to y, Series::breadth wide
  bars_across,       ///< lying, from the lower end of the x axis to x, Series::breadth high
  band,              ///< filled between lo and hi along x
  area,              ///< filled polygon with the corners x, y
  arrow,             ///< from the first datum to the second
  cells              ///< squares round x, y, Series::breadth wide; lo is the shade from 0 (white) to 1
};

struct Datum {
  double x = 0, y = 0;
  double lo = NAN, hi = NAN;
};

struct Series {
  std::string name;  ///< what it shows; empty if a reader needs no explanation
  Mark mark = Mark::line;
  Style style;
  std::vector<Datum> data;
  double breadth = 1;       ///< of bars and cells, in units of their axis
  std::string detail = {};  ///< figures and reasons in addition to the name
  std::string group = {};   ///< a reader shows and hides it together with the others of this name

  /// The group, or else the name; empty: it is always shown.
  const std::string& group_name() const { return group.empty() ? name : group; }
  /// Whether there is anything to draw.
  bool is_drawn() const;
};

enum class Scale { linear, log2, log10 };
enum class Grid { none, major, minor };

struct Tick {
  double at = 0;
  std::string text;
};

/// "bandwidth (GB/s)"
struct AxisTitle {
  std::string quantity, unit;

  AxisTitle(std::string of, std::string in = "") : quantity(std::move(of)), unit(std::move(in)) {}
  AxisTitle(const char* of = "", const char* in = "") : quantity(of), unit(in) {}
  bool empty() const { return quantity.empty(); }
  std::string text() const { return quantity + (unit.empty() ? "" : " (" + unit + ")"); }
};

struct Axis {
  AxisTitle title;
  double from = 0, to = 1;  ///< from > to: descending
  Scale scale = Scale::linear;
  std::optional<std::vector<Tick>> ticks = {};  ///< without a value: chosen by the drawing tool
  bool numbered = true;                         ///< whether ticks have texts
  Grid grid = Grid::major;
  bool is_bytes = false;  ///< its values are numbers of bytes

  /// 0 at `from`, 1 at `to`.
  double share_of(double value) const;
  double value_at(double share) const;
  /// Leaves out its title and numbers: those of another panel stand for them.
  void drop_texts() { title = {}, numbered = false; }
};

struct Rectangle {
  double left = 0, top = 0, width = 0, height = 0;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

enum class Frame { axes, box, none };

struct Panel {
  Rectangle area;  ///< of the plot, without the axes' texts
  std::string title;
  Axis x, y;
  Frame frame = Frame::axes;
  bool x_on_top = false;
  std::vector<Series> series;  ///< in the order in which they are drawn

  double page_x(double x_value) const;
  double page_y(double y_value) const;
};

enum class Align { left, center, right };

/// A text at a place of the page: vertically centred at y.
struct Label {
  std::string text;
  double x = 0, y = 0;
  Align align = Align::left;
  Colour colour = 0x222222;
  double size = 12;                      ///< of the letters
  bool on_white = false;                 ///< covers what is behind it
  bool upright = false;                  ///< reads from bottom to top
  std::vector<std::string> groups = {};  ///< of series; it is hidden with the last of them
};

/// A line on the page, outside the panels.
struct Stroke {
  double x_from = 0, y_from = 0, x_to = 0, y_to = 0;
  Style style;
};

struct LegendEntry {
  std::string text;
  Mark mark = Mark::line;
  Style style;
  bool with_symbol = false;  ///< a line that has symbols
  double x = 0, y = 0;       ///< of its left end; see lay_out_legend
};

struct Chart {
  std::string name;  ///< of its files, without the suffix: "larm-0"
  std::string title, subtitle, note;
  double width = 0, height = 0;  ///< of the page, without the note
  std::vector<Panel> panels;
  std::vector<Label> labels;
  std::vector<Stroke> strokes;
  std::vector<LegendEntry> legend;
  Table table{{}};
  std::string omitted;  ///< why there is nothing to draw; empty if there is something
  bool column = false;  ///< for a paper's column: column_page wide, drawn without titles and note
};

inline constexpr double column_page = 420;  ///< drawn as 3.4 inches, 12-point letters become 7 points

inline constexpr double line_height = 17;  ///< of a label, in points
inline constexpr double axis_room = 60;    ///< below a panel, for the texts of its x axis
inline constexpr double page_margin = 16;  ///< at the left of titles and notes

/// The width of a text in 12-point letters, estimated generously.
double text_width(const std::string& utf8);

/// Lays out the legend: entries next to each other from `left`, in rows from `top`, within `width`. Returns
/// the number of rows. In a paper's column it has the width of the page.
int lay_out_legend(Chart& chart, double left, double top, double width);
inline constexpr double legend_row = 20;  ///< height of a row of the legend, in points

/// Lays out the legend at the lower end of the page, which grows by it.
void add_legend_below(Chart& chart);

/// Adds entries to the legend at the lower end of the page, which grows by them: in columns of one width,
/// each filled from above.
void add_to_legend_below(Chart& chart, std::vector<LegendEntry> entries);

/// The part of the page that is drawn: all of it, or what lies below the titles in a paper's column.
double page_top(const Chart& chart);

/// Makes the page wide enough for the title, the subtitle, the legend and, folded into two lines, the note.
void make_room_for_texts(Chart& chart);

/// The note in lines that fit on the page.
std::vector<std::string> note_lines(const Chart& chart);
inline constexpr double note_line = 13;  ///< height of a line of the note, in points
inline constexpr double note_gap = 12;   ///< above the first of them

/// Height of the page with its note; in a paper's column without titles and note.
double page_height(const Chart& chart);

/// Panels of one size in rows and columns.
struct PanelGrid {
  double left = 70, top = 104;       ///< of the first panel, on the page
  double width = 252, height = 226;  ///< of each panel
  double gap_x = 34, gap_y = 50;
  int columns = 1;

  Rectangle area(int index) const {
    const int column = index % columns, row = index / columns;
    return {left + column * (width + gap_x), top + row * (height + gap_y), width, height};
  }
  /// Makes the panels narrow enough for a paper's column: two beside each other where their titles, `title`
  /// points wide at most, leave room for that.
  void fit_column(double title) {
    gap_x = 26;
    columns = std::min(columns, title <= column_panels(2) ? 2 : 1);
    width = column_panels(columns);
    height = columns == 1 ? 190 : 150;
  }
  int rows(int count) const { return (count + columns - 1) / columns; }
  double right_end() const { return left + columns * (width + gap_x) - gap_x; }
  double bottom_end(int count) const { return top + rows(count) * (height + gap_y) - gap_y; }
  bool is_first_column(int index) const { return index % columns == 0; }
  bool is_lowest(int index, int count) const { return index + columns >= count; }

 private:
  double column_panels(int beside) const { return (column_page - left - 16 + gap_x) / beside - gap_x; }
};

}  // namespace gable::charts
