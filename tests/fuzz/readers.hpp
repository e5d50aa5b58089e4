#pragma once

// Every reader of files that Gable gets from elsewhere, with what its commands do with the content.

#include <filesystem>
#include <span>
#include <string_view>

namespace gable::fuzz {

struct Reader {
  const char* name;  ///< also of its folder in tests/fuzz/corpus
  const char* file;  ///< the name of its file, in a folder of its own
  /// Reads the file and computes tables and charts from it. Throws std::exception for invalid content.
  void (*read)(const std::filesystem::path& file);
};

std::span<const Reader> readers();

/// Writes `content` to the file of the reader in a temporary folder, and reads it. Ends the process by
/// abort() if something else than std::exception is thrown, or the message does not name the file. Returns
/// whether the content was valid. Without `draws`, no tables and charts are made of folders, and no
/// trace is prepared for replay.
bool try_reader(const Reader& reader, std::string_view content, bool draws = true);

}  // namespace gable::fuzz
