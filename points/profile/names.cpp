#include "points/profile/names.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "points/profile/variables.hpp"

namespace gable::points {
namespace {

// The lines of a file from this one on, at most so many; none if it is not there.
std::vector<std::string> lines_of(const std::string& path, int first, int most) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  if (first < 1) return lines;  // not known
  std::string line;
  for (int i = 1; i < first + most && std::getline(in, line); ++i) {
    if (i >= first) lines.push_back(line);
  }
  return lines;
}

const model::ProfileCaller& asker_of(const model::ProfileObject& object) {
  return object.callers[object.asker];
}

std::vector<std::string> variables_at(const std::vector<model::ProfileCaller>& callers, std::size_t index);

// Whether this caller allocates for the one before it, to which it returns the memory.
bool returns_memory(const std::vector<model::ProfileCaller>& callers, std::size_t index) {
  constexpr int most = 60;  // lines from the allocation on
  return returns_allocation(lines_of(callers[index].file, callers[index].line, most),
                            variables_at(callers, index));
}

// The variables to which the line of a caller gives the memory.
std::vector<std::string> variables_at(const std::vector<model::ProfileCaller>& callers, std::size_t index) {
  const std::vector<std::string> lines = lines_of(callers[index].file, callers[index].line, 1);
  if (lines.empty()) return {};
  const bool is_returned = index > 0 && returns_memory(callers, index - 1);
  return allocated_variables(lines.front(), is_returned ? callers[index - 1].function : "");
}

// Whether the asker allocates for its caller, to whose variable it returns the memory. If it has several
// callers, this is known without the source (`model::find_askers`).
bool allocates_for_caller(const model::ProfileObject& object) {
  const std::size_t next = object.asker + 1;
  return next < object.callers.size() && object.callers[next].image == asker_of(object).image &&
         returns_memory(object.callers, object.asker) && !variables_at(object.callers, next).empty();
}

// Whether each allocation of the line has a variable: allocate(a(n), b(n)).
bool names_each(const std::vector<model::ProfileObject*>& sharing) {
  std::set<std::uint64_t> calls;
  for (const model::ProfileObject* object : sharing) calls.insert(asker_of(*object).offset);
  const model::ProfileObject& first = *sharing.front();
  return calls.size() == sharing.size() && variables_at(first.callers, first.asker).size() == calls.size();
}

// Offsets of the calls of each line that allocate, in the order in which they did.
class Calls {
 public:
  void add(const model::ProfileCaller& caller) {
    std::vector<std::uint64_t>& calls = at(caller);
    if (std::ranges::find(calls, caller.offset) == calls.end()) calls.push_back(caller.offset);
  }
  std::size_t count(const model::ProfileCaller& caller) { return at(caller).size(); }
  std::size_t place(const model::ProfileCaller& caller) {
    return static_cast<std::size_t>(std::ranges::find(at(caller), caller.offset) - at(caller).begin());
  }

 private:
  std::vector<std::uint64_t>& at(const model::ProfileCaller& caller) {
    return by_line_[{caller.file, caller.line}];
  }

  std::map<std::pair<std::string, int>, std::vector<std::uint64_t>> by_line_;
};

}  // namespace

// Several allocations of a line are told apart if each has a variable: the tool numbers objects in the order
// in which they are allocated.
void name_allocations(model::Profile& profile) {
  model::find_askers(profile.objects, names_each);
  Calls calls;
  for (model::ProfileObject& object : profile.objects) {
    if (object.asker < 0) continue;
    while (allocates_for_caller(object)) ++object.asker;
    calls.add(asker_of(object));
  }
  for (model::ProfileObject& object : profile.objects) {
    if (object.asker < 0) continue;
    const std::vector<std::string> variables = variables_at(object.callers, object.asker);
    if (variables.size() == 1)
      object.name = variables.front();
    else if (variables.size() == calls.count(asker_of(object)))
      object.name = variables[calls.place(asker_of(object))];
  }
}

}  // namespace gable::points
