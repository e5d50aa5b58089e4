#pragma once

// Texts as HTML.

#include <string>
#include <string_view>

namespace gable::html {

/// The text for an element or a quoted attribute: & < > " ' are named; bytes that are no UTF-8 and control
/// characters other than line ends and tabs become U+FFFD.
std::string escaped(std::string_view text);

/// A word for an id: letters, digits and - of the text; others become -.
std::string id_of(std::string_view text);

}  // namespace gable::html
