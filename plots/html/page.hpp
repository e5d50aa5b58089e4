#pragma once

// One HTML file that needs nothing else: styles and script are inside, and its policy forbids the network.

#include <set>
#include <string>
#include <vector>

#include "plots/charts/chart.hpp"

namespace gable::html {

struct Section {
  std::string id;     ///< of its address in the page: "roofs"
  std::string title;  ///< also in the list of sections
  std::string body;   ///< HTML
};

struct Page {
  std::string title, subtitle;
  std::string top;  ///< HTML of the first screen
  std::vector<Section> sections;
  std::string foot;                  ///< a sentence
  std::set<charts::Colour> colours;  ///< that the bodies use as variables (variable_of)
};

std::string page_html(const Page& page);

/// plots/html/report.css and report.js.
extern const char* const report_css;
extern const char* const report_js;

}  // namespace gable::html
