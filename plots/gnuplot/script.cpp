#include "plots/gnuplot/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/lists.hpp"

namespace gable::gnuplot {

using charts::Align;
using charts::Axis;
using charts::Chart;
using charts::Panel;
using charts::Scale;

namespace {

// gnuplot takes the texts of ticks for formats.
std::string without_format(std::string text) {
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 2))
    text.insert(at, 1, '%');
  return text;
}

// Writes the program: the page, then each panel.
class Writer {
 public:
  Writer(const Chart& chart, const std::string& font)
      : chart_(chart), font_(font), top_(charts::page_top(chart)), height_(charts::page_height(chart)) {}

  std::string program(const std::string& format, const std::string& output) {
    begin(format, output);
    for (std::size_t i = 0; i < chart_.panels.size(); ++i) {
      place(chart_.panels[i]);
      say_axis("x", chart_.panels[i].x, chart_.panels[i]);
      say_axis("y", chart_.panels[i].y, chart_.panels[i]);
      if (i + 1 == chart_.panels.size()) say_page();  // drawn over all panels
      text_ += plot_command(chart_.panels[i], data_);
      text_ += "unset label\nunset arrow\nunset object\n";
    }
    text_ += "unset multiplot\n";
    return data_ + text_;
  }

 private:
  template <class... Arguments>
  void say(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }
  std::string at(double x, double y) const {
    return fmt::format("screen {:.6f},{:.6f}", x / chart_.width, 1 - (y - top_) / height_);
  }
  std::string font(double size) const { return "font " + quoted(fmt::format("{},{:g}", font_, size)); }

  void begin(const std::string& format, const std::string& output) {
    const double w = chart_.width, h = height_, scale = picture_size(chart_).width / w;
    say("set encoding utf8");
    if (format == "svg")
      say("set terminal svg size {:.0f},{:.0f} background 'white' noenhanced {} linewidth 1", w, h, font(12));
    if (format == "png") {
      const PictureSize size = pixel_size(chart_);
      const double pixels = size.width / w;
      say("set terminal pngcairo size {:.0f},{:.0f} noenhanced {} fontscale {:g} linewidth {:g} pointscale "
          "{:g} dashlength {:g}",
          size.width, size.height, font(12), 0.75 * pixels, pixels, pixels, chart_.column ? 1 : pixels);
    }
    if (format == "pdf")
      say("set terminal pdfcairo size {:.4f},{:.4f} noenhanced {} fontscale {:g} linewidth {:g} pointscale "
          "{:g} dashlength {:g}",
          scale * w / 72, scale * h / 72, font(12), scale, scale, scale, 1.0);
    say("set output {}", quoted(output));
    say("unset key\nset clip two\nset datafile missing NaN");
    say("set style textbox 1 opaque noborder margins 0.4,0.2");
    say("set multiplot");
  }

  void place(const Panel& panel) {
    const auto& area = panel.area;
    say("set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}", area.left / chart_.width,
        (area.left + area.width) / chart_.width);
    say("set tmargin at screen {:.6f}\nset bmargin at screen {:.6f}", 1 - (area.top - top_) / height_,
        1 - (area.top - top_ + area.height) / height_);
    const int border = panel.frame == charts::Frame::none ? 0 : panel.frame == charts::Frame::box ? 15 : 3;
    say("set border {} linecolor rgb '#444444'", border);
    say("unset grid\nset tics nomirror out textcolor rgb '#222222'");
    if (!panel.title.empty())
      say("set label {} at {} left textcolor rgb '#222222'", quoted(panel.title),
          at(area.left, area.top - 12));
  }

  void say_axis(const char* name, const Axis& axis, const Panel& panel) {
    const bool on_top = panel.x_on_top && name[0] == 'x';
    const double scale = panel.frame == charts::Frame::none ? 0 : 0.7;
    // gnuplot leaves out a tick at the end of a logarithmic axis whose logarithm it rounds up.
    const double beyond = axis.scale == Scale::linear ? 1 : 1 + 1e-12;
    say("unset logscale {0}\nset {0}range [{1:.17g}:{2:.17g}] noextend", name, axis.from / beyond,
        axis.to * beyond);
    if (axis.scale != Scale::linear) say("set logscale {} {}", name, axis.scale == Scale::log2 ? 2 : 10);
    const bool placed = chart_.column && name[0] == 'y';
    say("set {}label {}", name, quoted(placed ? "" : axis.title.text()));
    if (placed && !axis.title.empty()) say_title_beside(axis.title.text(), panel);
    say("unset m{}tics", name);
    if (axis.ticks && axis.ticks->empty()) {
      say("unset {}tics", name);
      if (on_top) say("unset x2tics");  // of the panel before
    } else if (axis.ticks) {
      const std::string ticks = joined(*axis.ticks, [&](const auto& tick) {
        return fmt::format("{} {:.17g}", quoted(axis.numbered ? without_format(tick.text) : ""), tick.at);
      });
      say("set format {} '%g'", name);
      if (on_top) {
        say("set x2range [{:.17g}:{:.17g}] noextend\nunset xtics\nset x2tics ({}) scale 0", axis.from,
            axis.to, ticks);
      } else {
        say("unset {0}tics\nset {0}tics out nomirror scale {1} ({2})", name, scale, ticks);
      }
    } else {
      say("set format {0} '{1}'\nunset {0}tics\nset {0}tics out nomirror scale 0.7 autofreq", name,
          axis.numbered ? "%g" : "");
    }
    if (axis.grid == charts::Grid::none) return;
    if (axis.grid == charts::Grid::minor) say("set m{}tics default", name);
    say("set grid {0}tics{1} back linetype 1 linewidth 0.6 linecolor rgb '#dddddd', "
        "linetype 1 linewidth 0.4 linecolor rgb '#eeeeee'",
        name, axis.grid == charts::Grid::minor ? fmt::format(" m{}tics", name) : "");
  }

  // gnuplot places it behind the widest number, in a paper's column beyond the edge of the page.
  void say_title_beside(const std::string& title, const Panel& panel) {
    constexpr double half_line = 10, numbers = 66;
    say_label(title, std::max(half_line, panel.area.left - numbers), panel.area.top + panel.area.height / 2,
              Align::center, "rotate by 90");
  }

  void say_label(const std::string& text, double x, double y, Align align, const std::string& look) {
    const char* where = align == Align::left ? "left" : align == Align::right ? "right" : "center";
    say("set label {} at {} {} front {}", quoted(text), at(x, y), where, look);
  }

  // Titles, note, legend, labels: everything outside the panels' coordinates.
  void say_page() {
    if (!chart_.column) say_titles();
    // Gnuplot's SVG draws a line with the dashes of the one before if both have the same colour and width.
    double wider = 0;
    for (charts::LegendEntry entry : chart_.legend) {
      entry.style.width += wider;
      wider = wider > 0 ? 0 : 0.01;
      say_entry(entry);
    }
    for (const charts::Stroke& stroke : chart_.strokes) {
      say("set arrow from {} to {} nohead front {}", at(stroke.x_from, stroke.y_from),
          at(stroke.x_to, stroke.y_to), line_look(stroke.style));
    }
    for (const charts::Label& label : chart_.labels) {
      std::string look = fmt::format("{} textcolor rgb '{}'", font(label.size), colour_text(label.colour));
      if (label.upright) look += " rotate by 90";
      if (label.on_white) look += " boxed bs 1";
      say_label(label.text, label.x, label.y, label.align, look);
    }
  }

  void say_titles() {
    say_label(chart_.title, charts::page_margin, 22, Align::left, font(16));
    say_label(chart_.subtitle, charts::page_margin, 46, Align::left, "textcolor rgb '#444444'");
    double y = chart_.height + charts::note_gap;
    for (const std::string& line : charts::note_lines(chart_)) {
      say_label(line, charts::page_margin, y, Align::left, font(10) + " textcolor rgb '#444444'");
      y += charts::note_line;
    }
  }

  void say_entry(const charts::LegendEntry& entry) {
    const bool is_line = entry.mark == charts::Mark::line;
    if (is_line) {
      say("set arrow from {} to {} nohead front {}", at(entry.x, entry.y), at(entry.x + 24, entry.y),
          line_look(entry.style));
    } else if (entry.mark != charts::Mark::points) {
      say("set object rectangle from {} to {} front {}", at(entry.x, entry.y - 6),
          at(entry.x + 24, entry.y + 6), fill_look(entry.style));
    }
    if (entry.mark == charts::Mark::points || entry.with_symbol)
      say("set label '' at {} front point {}", at(entry.x + 12, entry.y), symbol_look(entry.style));
    say_label(entry.text, entry.x + 30, entry.y, Align::left, "");
  }

  const Chart& chart_;
  const std::string font_;
  double top_, height_;  // of what is drawn of the page
  std::string data_, text_;
};

}  // namespace

std::vector<std::string> picture_formats() {
  return {"svg", "png", "pdf"};
}

std::string quoted(const std::string& text) {
  std::string source = "'";
  for (const char letter : text) {
    if (letter == '\'') source += '\'';
    source += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
  }
  return source + "'";
}

std::string script_of(const Chart& chart, const std::string& format, const std::string& output,
                      const std::string& font) {
  return Writer(chart, font).program(format, output);
}

PictureSize picture_size(const Chart& chart) {
  const double width = chart.column ? 72 * column_inches : chart.width;
  return {width, width / chart.width * charts::page_height(chart)};
}

PictureSize pixel_size(const Chart& chart) {
  constexpr double print = 600.0 / 72, screen = 1.5;  // pixels in a point
  const double pixels = chart.column ? print * picture_size(chart).width / chart.width : screen;
  return {pixels * chart.width, pixels * charts::page_height(chart)};
}

}  // namespace gable::gnuplot
