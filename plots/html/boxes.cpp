#include "plots/html/boxes.hpp"

#include <fmt/format.h>

#include "plots/html/escape.hpp"

namespace gable::html {

namespace {

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

std::string boxes_html(const std::vector<Box>& boxes) {
  std::string out = "<ul class=\"boxes\">\n";
  for (const Box& box : boxes) out += box_html(box);
  return out + "</ul>\n";
}

}  // namespace gable::html
