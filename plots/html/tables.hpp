#pragma once

// Tables of a page.

#include <string>
#include <utility>
#include <vector>

#include "plots/charts/table.hpp"

namespace gable::html {

using Row = std::vector<std::string>;

struct TableText {
  std::string caption;
  Row columns;                ///< their names
  std::vector<Row> rows;      ///< as many cells each as there are columns
  std::size_t row_names = 1;  ///< columns in front whose cells name their row
};

/// The table as an element that scrolls where the page is too narrow for it; all texts are escaped. Columns
/// of figures stand at the right.
std::string table_html(const TableText& table);

/// A chart's table: without empty columns, columns of one value in the caption, figures with five digits.
TableText readable(const charts::Table& table);

/// Names with their texts, beside each other where there is space. Each line of a text begins a new line.
std::string terms_html(const std::vector<std::pair<std::string, std::string>>& terms);

/// A heading with `body` behind it, which opens on demand.
std::string details_html(const std::string& summary, const std::string& body, bool open = false);

/// A paragraph of the escaped text, `commands` as code; empty for an empty one.
std::string paragraph(const std::string& text, const std::string& css_class = {});

}  // namespace gable::html
