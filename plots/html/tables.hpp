#pragma once

// Texts and tables of a page.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/tables/table.hpp"
#include "plots/charts/table.hpp"

namespace gable::html {

/// The text for an element or a quoted attribute: & < > " ' are named; bytes that are no UTF-8 and control
/// characters other than line ends and tabs become U+FFFD.
std::string escaped(std::string_view text);

/// A word for an id: letters, digits and - of the text; others become -.
std::string id_of(std::string_view text);

/// Returns the table as an element that scrolls if the page is too narrow; all texts are escaped. A first
/// column of words names the rows. A table without rows has only its notes.
std::string table_html(const Table& table);

/// Returns a chart's table for a page. Empty columns are left out, columns with a single value go into the
/// title, and figures have five digits.
Table readable(const charts::Table& table);

/// Names with their texts, beside each other where there is space. Each line of a text begins a new line.
std::string terms_html(const std::vector<std::pair<std::string, std::string>>& terms);

/// A heading with `body` behind it, which opens on demand.
std::string details_html(const std::string& summary, const std::string& body, bool open = false);

/// A paragraph of the escaped text, `commands` as code; empty for an empty one.
std::string paragraph(const std::string& text, const std::string& css_class = {});

}  // namespace gable::html
