#include "points/samples/by_function.hpp"

#include <cstdint>
#include <iterator>

namespace gable::points {
namespace {

struct NamedCode {
  std::uint64_t end = 0;
  const FunctionCounts* function = nullptr;
};

struct CodeOfFile {
  std::map<std::uint64_t, NamedCode> ranges;  // by their beginning
  const FunctionCounts* nameless = nullptr;   // has all other code

  const FunctionCounts* at(std::uint64_t offset) const {
    const auto next = ranges.upper_bound(offset);
    if (next != ranges.begin() && offset < std::prev(next)->second.end)
      return std::prev(next)->second.function;
    return nameless;
  }
};

std::map<std::string, CodeOfFile> code_by_file(const Counts& counts) {
  std::map<std::string, CodeOfFile> files;
  for (const FunctionCounts& function : counts.functions) {
    CodeOfFile& file = files[function.object];
    if (function.function.empty()) file.nameless = &function;
    for (const CodeRange& range : function.code) file.ranges[range.from] = {range.to, &function};
  }
  return files;
}

// The first file that is another build now; empty if there is none.
std::string other_build(const CodeSamples& samples, const Counts& counts) {
  for (const auto& [file, build] : samples.builds) {
    const auto counted = counts.builds.find(file);
    if (counted != counts.builds.end() && counted->second != build) return file;
  }
  return {};
}

}  // namespace

FunctionSamples by_function(const CodeSamples& samples, const Counts& counts) {
  FunctionSamples found;
  found.samples.missing = samples.missing;
  if (const std::string file = other_build(samples, counts); !file.empty())
    found.samples.missing = {model::NoteCode::sampled_other_build, {file}};
  if (found.samples.missing.empty() && samples.all <= 0)
    found.samples.missing = model::NoteCode::sampled_never;
  if (!found.samples.missing.empty()) return found;
  found.samples.all = samples.all;
  found.samples.seconds = samples.seconds;
  found.samples.kernel = samples.kernel;
  found.samples.spinning = samples.spinning;
  if (samples.without_file > 0) found.samples.elsewhere[""] = samples.without_file;
  const std::map<std::string, CodeOfFile> files = code_by_file(counts);
  for (const auto& [path, offsets] : samples.in_files) {
    const auto file = files.find(path);
    for (const auto& [offset, count] : offsets) {
      const FunctionCounts* const function = file == files.end() ? nullptr : file->second.at(offset);
      if (function != nullptr) {
        found.of[{function->function, function->object}] += count;
      } else {
        found.samples.elsewhere[path] += count;
      }
    }
  }
  return found;
}

}  // namespace gable::points
