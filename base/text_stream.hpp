#pragma once

// A stream over a text that throws std::bad_alloc where memory is missing. A plain one takes that for the end
// of the text, so that the rest of it would be dropped silently.

#include <sstream>
#include <string>

namespace gable {

class TextStream : public std::istringstream {
 public:
  explicit TextStream(const std::string& text) : std::istringstream(text) { exceptions(std::ios::badbit); }
};

}  // namespace gable
