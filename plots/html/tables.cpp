#include "plots/html/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "base/numbers.hpp"
#include "plots/html/escape.hpp"

namespace gable::html {

namespace {

bool begins_as_figure(const std::string& cell) {
  const std::string_view text = cell;
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-' ||
                           text.starts_with("±") || text.starts_with("–") || text == "?");
}

bool is_of_figures(const std::vector<Row>& rows, std::size_t column) {
  bool any = false;
  for (const Row& row : rows) {
    if (row[column].empty()) continue;
    if (!begins_as_figure(row[column])) return false;
    any = true;
  }
  return any;
}

// The interval behind a figure is smaller.
std::string cell_html(const std::string& cell) {
  const std::size_t interval = std::min(cell.find(" ±"), cell.find(" ("));
  if (interval == std::string::npos || !begins_as_figure(cell)) return escaped(cell);
  return escaped(cell.substr(0, interval)) + " <small>" + escaped(cell.substr(interval + 1)) + "</small>";
}

std::string rounded(const std::string& cell) {
  constexpr std::size_t longest = 6;
  if (cell.size() <= longest || cell.find_first_of(".e") == std::string::npos) return cell;
  const std::optional<double> value = read_as<double>(cell);
  return value ? fmt::format("{:.5g}", *value) : cell;
}

// The text between each pair of backquotes is code.
std::string with_code(const std::string& text) {
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find('`', at);
    const std::size_t close = open == std::string::npos ? open : text.find('`', open + 1);
    if (close == std::string::npos) return out + escaped(text.substr(at));
    out += escaped(text.substr(at, open - at)) + "<code>" + escaped(text.substr(open + 1, close - open - 1)) +
           "</code>";
    at = close + 1;
  }
}

}  // namespace

std::string table_html(const TableText& table) {
  std::string out = fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">",
                                escaped(table.caption.empty() ? "table" : table.caption));
  out += "<table>";
  if (!table.caption.empty()) out += "<caption>" + escaped(table.caption) + "</caption>";
  std::vector<const char*> kinds;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    kinds.push_back(i >= table.row_names && is_of_figures(table.rows, i) ? " class=\"n\"" : "");
  out += "<thead><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    out += fmt::format("<th scope=\"col\"{}>{}</th>", kinds[i], escaped(table.columns[i]));
  out += "</tr></thead><tbody>\n";
  for (const Row& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i < table.row_names)
        out += "<th scope=\"row\">" + escaped(row[i]) + "</th>";
      else
        out += fmt::format("<td{}>{}</td>", kinds.at(i), cell_html(row[i]));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

TableText readable(const charts::Table& table) {
  TableText text;
  const std::vector<Row>& rows = table.cells();
  std::vector<std::size_t> kept;
  std::vector<std::string> constant;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    const auto same = [&](const Row& row) { return row[i] == rows.front()[i]; };
    const bool is_constant = !rows.empty() && std::ranges::all_of(rows, same);
    if (is_constant && rows.front()[i].empty()) continue;
    if (is_constant && rows.size() > 1) {
      constant.push_back(table.columns()[i] + " " + rounded(rows.front()[i]));
      continue;
    }
    kept.push_back(i);
    text.columns.push_back(table.columns()[i]);
  }
  for (const Row& row : rows) {
    text.rows.emplace_back();
    for (const std::size_t i : kept) text.rows.back().push_back(rounded(row[i]));
  }
  text.caption = fmt::format("{}", fmt::join(constant, ", "));
  text.row_names = 0;
  return text;
}

std::string terms_html(const std::vector<std::pair<std::string, std::string>>& terms) {
  std::string out;
  for (const auto& [name, text] : terms) {
    std::string lines = escaped(text);
    for (std::size_t at = lines.find('\n'); at != std::string::npos; at = lines.find('\n', at))
      lines.replace(at, 1, "<br>");
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(name), lines);
  }
  return out.empty() ? "" : "<dl>\n" + out + "</dl>\n";
}

std::string details_html(const std::string& summary, const std::string& body, bool open) {
  return fmt::format("<details{}><summary>{}</summary>{}</details>\n", open ? " open" : "", escaped(summary),
                     body);
}

std::string paragraph(const std::string& text, const std::string& css_class) {
  if (text.empty()) return {};
  const std::string attribute = css_class.empty() ? "" : fmt::format(" class=\"{}\"", css_class);
  return fmt::format("<p{}>{}</p>\n", attribute, with_code(text));
}

}  // namespace gable::html
