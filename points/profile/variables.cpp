#include "points/profile/variables.hpp"

#include <iterator>
#include <regex>
#include <set>

namespace gable::points {
namespace {

// Patterns whose first group is the variable.
const std::regex patterns[] = {
    // p = malloc(...), s->p[i] = (double*)calloc(...), p = new double[n], p = std::make_unique<double[]>(n)
    std::regex(
        R"re(([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*|\[[^\]=]*\])*)\s*=\s*[^=;,]*?(?:\bnew\b|\w*alloc\w*\s*\(|\bmmap\s*\(|\bmake_(?:unique|shared)\w*))re"),
    // p.resize(n), p.reserve(n), p.assign(n, 0), p.push_back(x)
    std::regex(
        R"re(([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*)(?:\.|->)(?:resize|reserve|assign|push_back|emplace_back|reset)\s*\()re"),
    // posix_memalign((void**)&p, ...)
    std::regex(R"re(posix_memalign\s*\([^&]*&\s*([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*))re"),
    // std::vector<double> p(n)
    std::regex(R"re(\b(?:vector|valarray|string|deque|array)\s*<.*>\s*([A-Za-z_]\w*)\s*[({])re"),
};

// allocate(p(n)) of Fortran, where C would assign.
const std::regex fortran(R"re(\b[aA][lL][lL][oO][cC][aA][tT][eE]\s*\(\s*([A-Za-z_]\w*(?:%[A-Za-z_]\w*)*))re");

void find(const std::string& text, const std::regex& pattern, std::set<std::string>& found) {
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    found.insert((*match)[1]);
  }
}

}  // namespace

std::string allocated_variable(std::string_view line) {
  const std::string text(line);
  std::set<std::string> found;
  for (const std::regex& pattern : patterns) find(text, pattern, found);
  if (found.empty()) find(text, fortran, found);
  return found.size() == 1 ? *found.begin() : "";
}

}  // namespace gable::points
