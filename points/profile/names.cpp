#include "points/profile/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/lists.hpp"
#include "points/profile/variables.hpp"

namespace gable::points {
namespace {

// All lines of a file, which is read once; none if it is not there.
const std::vector<std::string>& all_lines_of(const std::string& path) {
  static std::map<std::string, std::vector<std::string>> known;
  const auto [found, is_new] = known.try_emplace(path);
  if (is_new) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) found->second.push_back(line);
  }
  return found->second;
}

// The lines of a file from this one on, at most so many; none if it is not there.
std::vector<std::string> lines_of(const std::string& path, int first, int most) {
  if (first < 1) return {};  // not known
  const std::vector<std::string>& all = all_lines_of(path);
  const std::size_t begin = std::min<std::size_t>(first - 1, all.size());
  const std::size_t end = std::min<std::size_t>(begin + most, all.size());
  return {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)};
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

bool is_fortran(const std::string& file) {
  static const std::regex ending(R"(\.f(?:or|tn|pp|\d\d)?$)", std::regex::icase);
  return std::regex_search(file, ending);
}

// A statement of Fortran goes on in the next line after "&". Its allocations have any of its lines.
std::string fortran_statement(const std::string& file, int line) {
  constexpr int most = 40;
  const int first = std::max(1, line - most);
  const std::vector<std::string> lines = lines_of(file, first, 2 * most);
  static const std::regex comment("!.*$"), goes_on(R"(&\s*$)"), begins(R"(^\s*&)");
  const auto at = [&](int i) { return std::regex_replace(lines[i], comment, ""); };
  const auto continues = [&](int i) { return std::regex_search(at(i), goes_on); };
  const int count = static_cast<int>(lines.size());
  int begin = line - first;
  if (begin >= count) return {};
  while (begin > 0 && continues(begin - 1)) --begin;
  std::string statement;
  for (int i = begin; i < count; ++i) {
    statement += std::regex_replace(std::regex_replace(at(i), goes_on, ""), begins, "");
    if (!continues(i)) break;
  }
  return statement;
}

// "A" of "A::A(int)", and of "A", code that was put into its caller, if "A(" begins one of the lines before.
std::string constructed_class(const model::ProfileCaller& caller) {
  static const std::regex twice(R"((\w+)(?:<.*>)?::\1\()"), word(R"(\w+)");
  std::smatch match;
  if (std::regex_search(caller.function, match, twice)) return match[1];
  if (!std::regex_match(caller.function, word)) return {};
  constexpr int most = 8;
  const std::regex begins(R"(^\s*(?:(?:explicit|inline|constexpr)\s+)*(?:\w+(?:<.*>)?::)?)" +
                          caller.function + R"(\s*\()");
  const int first = std::max(1, caller.line - most);
  const std::vector<std::string> lines = lines_of(caller.file, first, caller.line - first + 1);
  const auto is_begin = [&](const std::string& line) { return std::regex_search(line, begins); };
  return std::ranges::any_of(lines, is_begin) ? caller.function : "";
}

// The members that the line of a constructor initializes.
std::vector<std::string> members_at(const model::ProfileCaller& caller) {
  const std::string name = constructed_class(caller);
  const std::vector<std::string> lines = lines_of(caller.file, caller.line, 1);
  if (name.empty() || lines.empty()) return {};
  const std::vector<std::string> members = initialized_members(lines.front());
  return members.empty() || members.front() == name ? std::vector<std::string>() : members;
}

// The variables to which the line of a caller gives the memory.
std::vector<std::string> find_variables(const std::vector<model::ProfileCaller>& callers, std::size_t index) {
  const model::ProfileCaller& caller = callers[index];
  if (is_fortran(caller.file)) return fortran_variables(fortran_statement(caller.file, caller.line));
  if (const std::vector<std::string> members = members_at(caller); !members.empty()) return members;
  const std::vector<std::string> lines = lines_of(caller.file, caller.line, 1);
  if (lines.empty()) return {};
  if (index == 0) return allocated_variables(lines.front());
  return allocated_variables(lines.front(), callers[index - 1].function, returns_memory(callers, index - 1));
}

// The same; many objects share their first callers.
std::vector<std::string> variables_at(const std::vector<model::ProfileCaller>& callers, std::size_t index) {
  static std::map<std::string, std::vector<std::string>> known;
  std::string chain;
  for (std::size_t i = 0; i <= index; ++i)
    chain += fmt::format("{}\n{}\n{}\n", callers[i].function, callers[i].file, callers[i].line);
  if (const auto found = known.find(chain); found != known.end()) return found->second;
  return known[chain] = find_variables(callers, index);
}

// Whether the asker allocates for its caller, to whose variable it returns the memory. If it has several
// callers, this is known without the source (`model::find_askers`).
bool allocates_for_caller(const model::ProfileObject& object) {
  const std::size_t next = object.asker + 1;
  return next < object.callers.size() && object.callers[next].image == asker_of(object).image &&
         returns_memory(object.callers, object.asker) && !variables_at(object.callers, next).empty();
}

// Whether each allocation of the line has a variable: allocate(a(n), b(n)). Members are initialized as often
// as there are variables of their class.
bool names_each(const std::vector<model::ProfileObject*>& sharing) {
  if (!members_at(asker_of(*sharing.front())).empty()) return false;
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
    add_once(calls, caller.offset);
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
    const std::size_t count = calls.count(asker_of(object));
    // Other members of the line may allocate, too.
    if (variables.size() == 1 && (count == 1 || members_at(asker_of(object)).empty()))
      object.name = variables.front();
    else if (variables.size() == count)
      object.name = variables[calls.place(asker_of(object))];
  }
}

}  // namespace gable::points
