#pragma once

// Times as people read them.

#include <string>

namespace gable::cli {

/// "2026-11-25 07:23 UTC" of a time as in the files, "2026-11-25T07:23:25Z"; another text as it is.
std::string when_text(const std::string& utc);

/// "2026-11-25 07:23 UTC"; with another day at the end "2026-11-25 to 2026-11-26".
std::string when_text(const std::string& from, const std::string& to);

}  // namespace gable::cli
