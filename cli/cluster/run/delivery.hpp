#pragma once

// A node's results on their way from the node into DIR/NODE: through a folder that both see, or as lines of
// text through the launcher.

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace gable::cli {

/// Puts a copy of `from` at `to`: complete, or not at all. Files of the same name are replaced, others that
/// were there stay. Throws std::system_error and std::filesystem::filesystem_error.
void put_folder(const std::filesystem::path& from, const std::filesystem::path& to);

/// The files of the folder as lines for Gathered, each of 512 bytes with its end.
std::string stream_of(const std::string& node, const std::filesystem::path& folder);
/// One file alone: "node.json".
std::string stream_of(const std::string& node, const std::string& file, const std::string& text);

/// Writes such lines to the launcher, through a pipe if standard output or standard error is one. A launcher
/// reads what is there and joins the pieces of many nodes, so each piece ends with a line, and is written
/// when the former one was read. Throws std::system_error.
void send(const std::string& lines);

/// Takes the lines of many nodes in any order.
class Gathered {
 public:
  /// It is called with the node and the files of a delivery that came whole, by their names; or with the node
  /// and nothing, if a part is missing or damaged.
  using Deliver = std::function<void(const std::string& node, const std::map<std::string, std::string>&)>;

  /// Whether the line was part of a delivery.
  bool take(const std::string& line, const Deliver& deliver);

 private:
  std::map<std::string, std::string> texts_;  // by node: what came so far
};

}  // namespace gable::cli
