// Charts as HTML: texts are escaped, colours are seen on both grounds, and marks have the names of their
// series.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "plots/charts/styles.hpp"
#include "plots/html/marks.hpp"
#include "plots/html/tables.hpp"

namespace gable::html {
namespace {

using charts::Chart;
using charts::Mark;

TEST(Html, TextsAreEscaped) {
  EXPECT_EQ(escaped("a<b>&\"'\n"), "a&lt;b&gt;&amp;&quot;&#39;\n");
  EXPECT_EQ(escaped("±…\xF0\x9F\x98\x80"), "±…\xF0\x9F\x98\x80");
  const std::string replaced = "\xEF\xBF\xBD";
  for (const std::string broken :
       {"\x80", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\x01", "\x7F"}) {
    const std::string text = escaped(broken);
    EXPECT_EQ(text.substr(0, 3), replaced);
    EXPECT_EQ(text.size() % 3, 0U) << "a part of " << broken << " is left";
  }
  EXPECT_EQ(paragraph("run `a<b` now"), "<p>run <code>a&lt;b</code> now</p>\n");
  EXPECT_EQ(paragraph("one ` only"), "<p>one ` only</p>\n");
}

// The luminance as WCAG 2.1 defines it.
double luminance(charts::Colour colour) {
  const auto linear = [&](int shift) {
    const double part = (colour >> shift & 0xffU) / 255.0;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
}

double contrast(charts::Colour a, charts::Colour b) {
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05) / (dark + 0.05);
}

// WCAG asks 4.5 of letters; what a chart writes and draws in has it on both grounds, or as much as on white.
TEST(Html, DarkColoursStandOutFromTheGround) {
  const charts::Colour ground = dark_of(0xffffff);
  EXPECT_GT(contrast(ground, dark_of(charts::ink)), 10);
  for (std::size_t i = 0; i < 8; ++i) {
    const charts::Colour colour = charts::series_style(i).colour;
    EXPECT_GT(contrast(ground, dark_of(colour)), std::min(4.5, contrast(0xffffff, colour))) << i;
    EXPECT_GT(contrast(ground, dark_of(charts::point_style(i).colour)), 4.5) << i;
  }
  EXPECT_NEAR(contrast(0x000000, 0xffffff), 21, 1e-6);
}

Chart two_series() {
  Chart chart;
  chart.name = "two";
  chart.title = "Two <series>";
  chart.width = chart.height = 300;
  charts::Panel panel;
  panel.area = {50, 60, 200, 200};
  panel.x = {{"load", "GB/s"}, 0, 4};
  panel.y = {{"latency", "ns"}, 0, 4};
  panel.series = {{"", Mark::line, {}, {}},  // is not drawn
                  {"<roof>", Mark::line, {}, {{0, 0}, {1, 1}}, 1, "1 \"GB/s\"; node 0"},
                  {"points", Mark::points, {}, {{1, 2, 1.5, 2.5}, {2, 3}}}};
  chart.panels = {panel};
  chart.labels = {{"the roof", 10, 10}};
  chart.labels[0].groups = {"<roof>"};
  return chart;
}

const std::string drawn =
    "<?xml version=\"1.0\"?><svg width=\"300\" onload=\"alert(1)\"><title>x</title><script>alert(2)</script>"
    "<image href='http://elsewhere/'/><use xlink:href='http://elsewhere/#a'/>"
    "<g id=\"gnuplot_plot_1a\" ><title>t</title><path stroke='rgb( 34,  34,  34)' d='M0,0 L1,1'/></g>"
    "<g id=\"gnuplot_plot_2a\" ><use xlink:href='#gpPt6' color='#1f87bd'/><use xlink:href='#gpPt6' "
    "color='black'/></g>"
    "<g transform='translate(1,1)'><text>the roof</text></g></svg>";

TEST(Html, MarksHaveTheNamesAndFiguresOfTheirSeries) {
  const Picture picture = picture_of(two_series(), drawn, "p-");
  ASSERT_TRUE(picture.has_marks);
  const auto has = [&](const std::string& part) { return picture.svg.find(part) != std::string::npos; };
  EXPECT_TRUE(has("aria-label=\"&lt;roof&gt;: 1 &quot;GB/s&quot;; node 0\""));
  EXPECT_TRUE(has("aria-label=\"points: load 1 GB/s, latency 2 ns (interval 1.5 to 2.5)\""));
  EXPECT_TRUE(has("aria-label=\"points: load 2 GB/s, latency 3 ns\""));
  EXPECT_TRUE(has("data-label-of=\"s0\""));
  EXPECT_TRUE(has("href=\"#p-gpPt6\""));
  EXPECT_TRUE(has("stroke=\"var(--c222222)\""));
  EXPECT_EQ(picture.colours, (std::set<charts::Colour>{0x000000, 0x1f87bd, 0x222222}));
  for (const char* bad : {"script", "onload", "elsewhere", "image", "alert", "<title"})
    EXPECT_FALSE(has(bad)) << bad;
}

// A wrong name would be worse than none.
TEST(Html, GroupsThatAreNotTheSeriesHaveNoNames) {
  Chart chart = two_series();
  chart.panels[0].series.push_back({"third", Mark::line, {}, {{0, 0}, {1, 1}}});
  const Picture picture = picture_of(chart, drawn, "p-");
  EXPECT_FALSE(picture.has_marks);
  EXPECT_EQ(picture.svg.find("aria-label=\"points"), std::string::npos);
  EXPECT_NE(picture.svg.find("<path"), std::string::npos);
}

TEST(Html, TablesLeaveOutWhatIsTheSameEverywhere) {
  charts::Table table({"cluster", "value", "empty", "name"});
  for (const double value : {1.23456789, 20.0}) {
    table.add_row();
    table.set("cluster", 3);
    table.set("value", value);
    table.set("name", value < 2 ? "a<b" : "c");
  }
  const Table text = readable(table);
  ASSERT_EQ(text.columns.size(), 2U);
  EXPECT_EQ(text.columns[0].name, "value");
  EXPECT_TRUE(text.columns[0].has_figures);
  EXPECT_EQ(text.columns[1].name, "name");
  EXPECT_FALSE(text.columns[1].has_figures);
  EXPECT_EQ(text.title, "cluster 3");
  EXPECT_EQ(text.rows[0][0].text, "1.2346");
  EXPECT_NE(table_html(text).find("<td>a&lt;b</td>"), std::string::npos);
}

TEST(Html, FiguresAreAtTheRightAndTheirIntervalsSmall) {
  const Table table{
      "Rates", columns({"name"}, {"GB/s"}, {"why"}), {{"-5", {"1", "±2 %"}, "3 (x)"}}, {"A note."}};
  EXPECT_EQ(
      table_html(table).substr(table_html(table).find("<tbody>")),
      "<tbody>\n<tr><th scope=\"row\">-5</th><td class=\"n\">1 <small>±2 %</small></td><td>3 (x)</td></tr>\n"
      "</tbody></table></div>\n<p class=\"quiet\">A note.</p>\n")
      << "what looks like a figure is none";
}

TEST(Html, AFigureWithoutAPictureHasItsTableOpen) {
  Chart chart = two_series();
  chart.table = charts::Table({"a"});
  chart.table.add_row();
  chart.table.set("a", 1);
  std::set<charts::Colour> colours;
  EXPECT_NE(figure_html(chart, "", colours).find("<details open>"), std::string::npos);
  const std::string figure = figure_html(chart, drawn, colours);
  EXPECT_EQ(figure.find("<details open>"), std::string::npos);
  EXPECT_NE(figure.find("data-switch=\"s1\""), std::string::npos);
}

}  // namespace
}  // namespace gable::html
