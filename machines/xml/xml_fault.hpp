#pragma once

// hwloc only reports that it cannot load an XML file; this finds where the file is broken.

#include <optional>
#include <string>
#include <string_view>

namespace gable::machines {

struct XmlFault {
  int line = 0;  ///< from 1
  std::string what;
};

/// The first place where `text` is not well-formed XML, or not a hwloc topology of a supported version.
std::optional<XmlFault> find_xml_fault(std::string_view text);

}  // namespace gable::machines
