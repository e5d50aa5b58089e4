#include "plots/html/page.hpp"

#include <fmt/format.h>

#include "plots/html/marks.hpp"
#include "plots/html/tables.hpp"

namespace gable::html {

namespace {

// Dark where the reader's system or the page's switch says so; never on paper.
std::string colours_css(const Page& page) {
  const std::string light = variables(page.colours, false), dark = variables(page.colours, true);
  return fmt::format(
      ":root{{{0}}}\n@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{1}}}}}\n"
      "@media screen{{:root[data-theme=dark]{{{1}}}}}\n",
      light, dark);
}

std::string head_html(const Page& page) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light "
      "dark\">\n<title>{}</title>\n<style>\n{}{}</style>\n</head>\n",
      escaped(page.title), report_css, colours_css(page));
}

std::string navigation_html(const Page& page) {
  std::string out = "<nav aria-label=\"Sections\"><ul>\n";
  for (const Section& section : page.sections)
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, escaped(section.title));
  return out + "</ul><button type=\"button\" id=\"theme\" hidden>Dark or light</button></nav>\n";
}

std::string cells_html(const Cells& cells) {
  constexpr int most_drawn = 128;
  std::string drawn;
  for (int i = 0; i < cells.count && cells.count <= most_drawn; ++i) drawn += "<i></i>";
  return fmt::format(
      "<li class=\"cells\"><span><b>{}</b> {}</span><span class=\"row\" "
      "aria-hidden=\"true\">{}</span></li>\n",
      escaped(cells.title), escaped(cells.detail), drawn);
}

std::string memory_html(const Memory& memory) {
  return fmt::format("<li class=\"memory tier-{}\"><b>{}</b> <span class=\"tier\">{}</span> {}</li>\n",
                     escaped(id_of(memory.tier)), escaped(memory.title), escaped(memory.tier),
                     escaped(memory.detail));
}

std::string box_html(const Box& box) {
  std::string out = fmt::format("<li class=\"box {}\"><p><b>{}</b> {}</p>", escaped(id_of(box.kind)),
                                escaped(box.title), escaped(box.detail));
  std::string parts;
  for (const Cells& cells : box.rows) parts += cells_html(cells);
  if (!parts.empty()) out += "<ul class=\"parts\">" + parts + "</ul>";
  std::string memories;
  for (const Memory& memory : box.memories) memories += memory_html(memory);
  if (!memories.empty()) out += "<ul class=\"memories\">" + memories + "</ul>";
  return out + (box.boxes.empty() ? "" : boxes_html(box.boxes)) + "</li>\n";
}

}  // namespace

std::string page_html(const Page& page) {
  std::string out = head_html(page) + "<body>\n<a class=\"skip\" href=\"#main\">To the content</a>\n";
  out += fmt::format("<header><h1>{}</h1>{}</header>\n", escaped(page.title), paragraph(page.subtitle));
  out += navigation_html(page) + "<main id=\"main\">\n" + page.top;
  for (const Section& section : page.sections)
    out += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-heading\"><h2 "
        "id=\"{0}-heading\">{1}</h2>\n{2}</section>\n",
        section.id, escaped(section.title), section.body);
  out += "</main>\n<footer>" + paragraph(page.foot) + "</footer>\n";
  out += "<div id=\"box\" aria-hidden=\"true\" hidden></div>\n<script>\n" + std::string(report_js) +
         "</script>\n";
  return out + "</body>\n</html>\n";
}

std::string boxes_html(const std::vector<Box>& boxes) {
  std::string out = "<ul class=\"boxes\">\n";
  for (const Box& box : boxes) out += box_html(box);
  return out + "</ul>\n";
}

}  // namespace gable::html
