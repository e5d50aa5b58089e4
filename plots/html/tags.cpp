#include "plots/html/marks.hpp"

#include <algorithm>
#include <cstddef>

#include "base/words.hpp"
#include "plots/html/tables.hpp"

namespace gable::html {

namespace {

constexpr std::string_view elements =
    " svg g defs path polygon polyline line rect circle ellipse text tspan use pattern filter feFlood "
    "feComposite "
    "clipPath mask ";
constexpr std::string_view drawing_attributes =
    " id x y x1 y1 x2 y2 width height cx cy r rx ry d points transform viewBox fill fill-opacity stroke "
    "stroke-width stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity color opacity font-family "
    "font-size font-weight font-style text-anchor dominant-baseline dx dy filter patternUnits filterUnits "
    "flood-color flood-opacity result in in2 operator shape-rendering href ";

// Whether it is one of the words of the list.
bool is_in(std::string_view name, std::string_view list) {
  return list.find(" " + std::string(name) + " ") != std::string_view::npos;
}

std::string unescaped(std::string_view text) {
  static constexpr std::pair<std::string_view, char> names[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&#39;", '\''}};
  std::string out;
  while (!text.empty()) {
    const auto* const named =
        std::ranges::find_if(names, [&](const auto& pair) { return text.starts_with(pair.first); });
    const bool found = named != std::end(names);
    out += found ? named->second : text[0];
    text.remove_prefix(found ? named->first.size() : 1);
  }
  return out;
}

constexpr std::string_view spaces = " \t\r\n";

// name='value' or name = "value", as long as there are any.
Tag tag_of(std::string_view source) {
  Tag tag;
  if (source.ends_with('/')) {
    tag.is_empty = true;
    source.remove_suffix(1);
  }
  const std::size_t end = std::min(source.find_first_of(spaces), source.size());
  tag.name = source.substr(0, end);
  source = trimmed(source.substr(end));
  while (!source.empty()) {
    const std::size_t equals = source.find('=');
    if (equals == std::string_view::npos) break;
    std::string_view name = source.substr(0, equals);
    name = name.substr(0, std::min(name.find_first_of(spaces), name.size()));
    source = trimmed(source.substr(equals + 1));
    const std::size_t close = source.empty() ? std::string_view::npos : source.find(source[0], 1);
    if (close == std::string_view::npos) break;
    if (name == "xlink:href") name = "href";
    const std::string value = unescaped(source.substr(1, close - 1));
    const bool leads_out = name == "href" && !value.starts_with('#');
    if (is_in(name, drawing_attributes) && !leads_out) tag.attributes.emplace_back(name, value);
    source = trimmed(source.substr(close + 1));
  }
  return tag;
}

}  // namespace

std::string_view Tag::attribute(std::string_view wanted) const {
  for (const auto& [name, value] : attributes) {
    if (name == wanted) return value;
  }
  return {};
}

void Tag::set(const std::string& attribute, std::string value) {
  for (auto& [name, old] : attributes) {
    if (name != attribute) continue;
    old = std::move(value);
    return;
  }
  attributes.emplace_back(attribute, std::move(value));
}

std::vector<Tag> drawing_of(std::string_view svg) {
  std::vector<Tag> tags;
  std::size_t at = svg.find("<svg");
  int in_text = 0;
  while (at < svg.size()) {
    if (svg[at] != '<') {
      const std::size_t end = std::min(svg.find('<', at), svg.size());
      if (in_text > 0) tags.push_back({{}, {}, false, unescaped(svg.substr(at, end - at))});
      at = end;
      continue;
    }
    const std::size_t end = svg.find('>', at);
    if (end == std::string_view::npos) break;
    Tag tag = tag_of(svg.substr(at + 1, end - at - 1));
    at = end + 1;
    const std::string_view element =
        tag.name.starts_with('/') ? std::string_view(tag.name).substr(1) : std::string_view(tag.name);
    if (!is_in(element, elements)) continue;
    if (element == "text") in_text += tag.name.starts_with('/') ? -1 : 1;
    // Groups without content, of which gnuplot writes many.
    if (tag.name == "/g" && !tags.empty() && tags.back().opens("g") && tags.back().attribute("id").empty()) {
      tags.pop_back();
      continue;
    }
    tags.push_back(std::move(tag));
  }
  return tags;
}

std::string markup(const std::vector<Tag>& tags) {
  std::string out;
  for (const Tag& tag : tags) {
    if (tag.name.empty()) {
      out += escaped(tag.text);
      continue;
    }
    out += "<" + tag.name;
    for (const auto& [name, value] : tag.attributes) out += " " + name + "=\"" + escaped(value) + "\"";
    out += tag.is_empty ? "/>" : ">";
    if (!tag.is_empty && (tag.name == "g" || tag.name == "/g")) out += "\n";
  }
  return out;
}

}  // namespace gable::html
