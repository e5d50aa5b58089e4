#include "plots/html/page.hpp"

#include <fmt/format.h>

#include "plots/html/colours.hpp"
#include "plots/html/escape.hpp"
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

}  // namespace gable::html
