#include "points/profile/variables.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <regex>

namespace gable::points {
namespace {

// Patterns whose first group is the variable.
const std::regex patterns[] = {
    // p = malloc(...), s->p[i] = (double*)calloc(...), p = new double[n], p = std::make_unique<double[]>(n),
    // (*p)[n] = malloc(...)
    std::regex(
        R"re(([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*|\[[^\]=]*\])*)(?:\)\[[^\]=]*\])?\s*=\s*[^=;,]*?(?:\bnew\b|\w*alloc\w*\s*\(|\bmmap\s*\(|\bmake_(?:unique|shared)\w*))re"),
    // p.resize(n), p.reserve(n), p.assign(n, 0), p.push_back(x)
    std::regex(
        R"re(([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*)(?:\.|->)(?:resize|reserve|assign|push_back|emplace_back|reset)\s*\()re"),
    // posix_memalign((void**)&p, ...)
    std::regex(R"re(posix_memalign\s*\([^&]*&\s*([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*))re"),
    // std::vector<double> p(n)
    std::regex(R"re(\b(?:vector|valarray|string|deque|array)\s*<.*>\s*([A-Za-z_]\w*)\s*[({])re"),
};

// allocate(p(n), q(n), stat=i) of Fortran, where C would assign: what lies between the parentheses.
const std::regex fortran(
    R"re(\b[aA][lL][lL][oO][cC][aA][tT][eE]\s*\((?:[^:()]*(?:\([^)]*\))?\s*::)?(.*)\))re");
const std::regex fortran_variable(R"re(\s*([A-Za-z_]\w*(?:%[A-Za-z_]\w*)*)\s*(?:\(.*)?)re");

using Found = std::map<std::ptrdiff_t, std::string>;  // by position in the line

void find(const std::string& text, const std::regex& pattern, Found& found) {
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    found.emplace(match->position(1), (*match)[1]);
  }
}

// Commas within parentheses separate no variables.
Found in_list(const std::string& list) {
  Found found;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    if (at < list.size() && list[at] == '(') ++depth;
    if (at < list.size() && list[at] == ')') --depth;
    if (at < list.size() && (list[at] != ',' || depth > 0)) continue;
    std::smatch match;
    const std::string part = list.substr(begin, at - begin);
    if (std::regex_match(part, match, fortran_variable)) found.emplace(begin, match[1]);
    begin = at + 1;
  }
  return depth == 0 ? found : Found{};  // the list may go on in the next line
}

}  // namespace

std::vector<std::string> allocated_variables(std::string_view line) {
  const std::string text(line);
  Found found;
  for (const std::regex& pattern : patterns) find(text, pattern, found);
  std::smatch match;
  if (found.empty() && std::regex_search(text, match, fortran)) found = in_list(match[1]);
  std::vector<std::string> variables;
  for (const auto& [position, name] : found) {
    if (std::ranges::find(variables, name) == variables.end()) variables.push_back(name);
  }
  return variables;
}

}  // namespace gable::points
