#pragma once

// The tags and texts of a drawing tool's SVG, one after the other; only for the sources of plots/html.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gable::html {

struct Tag {
  std::string name;  ///< "g", "/g"; empty: a text
  std::vector<std::pair<std::string, std::string>> attributes;
  bool is_empty = false;  ///< <use/>
  std::string text;       ///< of a text, as it reads

  bool opens(std::string_view element) const { return name == element; }
  /// The value of the attribute; empty where there is none.
  std::string_view attribute(std::string_view name) const;
  void set(const std::string& attribute, std::string value);
};

/// The tags from the first <svg> to its end. Only elements and attributes that draw are kept, no scripts,
/// links, images and titles. Texts outside <text> are left out.
std::vector<Tag> drawing_of(std::string_view svg);

/// The tags as HTML.
std::string markup(const std::vector<Tag>& tags);

}  // namespace gable::html
