#include "points/samples/by_function.hpp"

#include <cstdint>
#include <iterator>
#include <vector>

#include "base/sorting.hpp"

namespace gable::points {
namespace {

// Which function has the code from each offset on; nullptr: none.
class CodeOfFile {
 public:
  // Code that lies within other code must be added after it.
  void add(const CodeRange& range, const FunctionCounts& function) {
    const FunctionCounts* const behind = at(range.to);
    from_.erase(from_.lower_bound(range.from), from_.upper_bound(range.to));
    from_[range.from] = &function;
    from_[range.to] = behind;
  }

  const FunctionCounts* at(std::uint64_t offset) const {
    const auto next = from_.upper_bound(offset);
    return next == from_.begin() ? nullptr : std::prev(next)->second;
  }

 private:
  std::map<std::uint64_t, const FunctionCounts*> from_;
};

struct File {
  CodeOfFile code;
  const FunctionCounts* nameless = nullptr;  // has all other code, if it is not known which was executed

  const FunctionCounts* at(std::uint64_t offset) const {
    const FunctionCounts* const function = code.at(offset);
    return function != nullptr ? function : nameless;
  }
};

std::map<std::string, File> code_by_file(const Counts& counts) {
  struct Named {
    const CodeRange* range;
    const FunctionCounts* function;
  };
  std::vector<Named> all;
  std::map<std::string, File> files;
  for (const FunctionCounts& function : counts.functions) {
    File& file = files[function.object];
    if (function.function.empty() && function.loop == 0 && function.code.empty()) file.nameless = &function;
    for (const CodeRange& range : function.code) all.push_back({&range, &function});
  }
  const auto size = [](const Named& named) { return named.range->to - named.range->from; };
  sort_with(all, [&](const Named& a, const Named& b) { return size(a) > size(b); });
  for (const Named& named : all) files[named.function->object].code.add(*named.range, *named.function);
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
  const std::map<std::string, File> files = code_by_file(counts);
  for (const auto& [path, offsets] : samples.in_files) {
    const auto file = files.find(path);
    for (const auto& [offset, count] : offsets) {
      const FunctionCounts* const function = file == files.end() ? nullptr : file->second.at(offset);
      if (function != nullptr) {
        found.of[key_of(*function)] += count;
      } else {
        found.samples.elsewhere[path] += count;
      }
    }
  }
  return found;
}

}  // namespace gable::points
