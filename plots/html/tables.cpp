#include "plots/html/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>

namespace gable::html {

namespace {

constexpr const char* replacement = "\xEF\xBF\xBD";

// The bytes of the UTF-8 character at the beginning of the text; 0 where there is none.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t size = first < 0x80                     ? 1
                           : first >= 0xC2 && first <= 0xDF ? 2
                           : (first & 0xF0U) == 0xE0        ? 3
                           : first >= 0xF0 && first <= 0xF4 ? 4
                                                            : 0;
  if (size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return size;
}

// The interval behind a figure is smaller.
std::string cell_html(const Cell& cell) {
  return escaped(cell.text) + (cell.interval.empty() ? "" : " <small>" + escaped(cell.interval) + "</small>");
}

std::string rounded(const Cell& cell) {
  constexpr double most_digits = 1e6;
  if (!cell.number) return cell.text;
  const bool is_short = *cell.number == std::trunc(*cell.number) && std::abs(*cell.number) < most_digits;
  return is_short ? cell.text : fmt::format("{:.5g}", *cell.number);
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

std::string rows_html(const Table& table) {
  std::string out = fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">",
                                escaped(table.title.empty() ? "table" : table.title));
  out += "<table>";
  if (!table.title.empty()) out += "<caption>" + escaped(table.title) + "</caption>";
  const auto kind_of = [](const Column& column) { return column.has_figures ? " class=\"n\"" : ""; };
  out += "<thead><tr>";
  for (const Column& column : table.columns)
    out += fmt::format("<th scope=\"col\"{}>{}</th>", kind_of(column), escaped(column.name));
  out += "</tr></thead><tbody>\n";
  for (const Row& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == 0 && !table.columns[i].has_figures)
        out += "<th scope=\"row\">" + cell_html(row[i]) + "</th>";
      else
        out += fmt::format("<td{}>{}</td>", kind_of(table.columns[i]), cell_html(row[i]));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const auto letter = static_cast<unsigned char>(text[0]);
    if (size == 0 || letter == 0x7F || (letter < ' ' && letter != '\n' && letter != '\t')) {
      out += replacement;
    } else if (letter == '&') {
      out += "&amp;";
    } else if (letter == '<') {
      out += "&lt;";
    } else if (letter == '>') {
      out += "&gt;";
    } else if (letter == '"') {
      out += "&quot;";
    } else if (letter == '\'') {
      out += "&#39;";
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

std::string id_of(std::string_view text) {
  std::string id;
  for (const char c : text) id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return id;
}

std::string table_html(const Table& table) {
  std::string out;
  for (const std::string& note : table.notes) out += paragraph(note, "quiet");
  if (table.empty()) return out;
  return rows_html(table) + out;
}

Table readable(const charts::Table& table) {
  Table text;
  const std::vector<Row>& rows = table.cells();
  std::vector<std::size_t> kept;
  std::vector<std::string> constant;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    const auto same = [&](const Row& row) { return row[i].text == rows.front()[i].text; };
    const bool is_constant = !rows.empty() && std::ranges::all_of(rows, same);
    if (is_constant && rows.front()[i].empty()) continue;
    if (is_constant && rows.size() > 1) {
      constant.push_back(table.columns()[i] + " " + rounded(rows.front()[i]));
      continue;
    }
    kept.push_back(i);
    const auto is_figure = [&](const Row& row) { return row[i].empty() || row[i].number.has_value(); };
    text.add_column(table.columns()[i], std::ranges::all_of(rows, is_figure));
  }
  for (const Row& row : rows) {
    text.rows.emplace_back();
    for (const std::size_t i : kept) text.rows.back().emplace_back(rounded(row[i]));
  }
  text.title = fmt::format("{}", fmt::join(constant, ", "));
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
