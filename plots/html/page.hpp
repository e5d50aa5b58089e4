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

// A machine drawn as boxes in boxes.

/// Equal parts beside each other: 16 cores, or the 8 caches that they share in pairs.
struct Cells {
  std::string title;   ///< "L2"
  std::string detail;  ///< "1 MiB each, shared by 2 cores"
  int count = 0;
};

struct Memory {
  std::string title;   ///< "node 0"
  std::string tier;    ///< "DRAM"
  std::string detail;  ///< "24 GiB"
};

struct Box {
  std::string kind;  ///< "package", "cluster"
  std::string title, detail;
  std::vector<Cells> rows;
  std::vector<Memory> memories;
  std::vector<Box> boxes;  ///< inside
};

std::string boxes_html(const std::vector<Box>& boxes);

}  // namespace gable::html
