#include "points/profile/variables.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <regex>

namespace gable::points {
namespace {

// What is assigned to, and the assignment up to what allocates.
constexpr const char* assigned =
    R"re(([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*|\[[^\]=]*\])*)(?:\)\[[^\]=]*\])?\s*=\s*[^=;,]*?)re";

// Patterns whose first group is the variable.
const std::regex patterns[] = {
    // p = malloc(...), s->p[i] = (double*)calloc(...), p = new double[n], p = std::make_unique<double[]>(n),
    // (*p)[n] = malloc(...)
    std::regex(
        std::string(assigned) +
        R"re((?:\bnew\b|\w*alloc\w*\s*\(|\b(?:mmap|mremap|shmat|sbrk)(?:64)?\s*\(|\bmake_(?:unique|shared)\w*))re"),
    // p.resize(n), p.reserve(n), p.assign(n, 0), p.push_back(x)
    std::regex(
        R"re(([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*)(?:\.|->)(?:resize|reserve|assign|push_back|emplace_back|reset)\s*\()re"),
    // posix_memalign((void**)&p, ...)
    std::regex(R"re(posix_memalign\s*\([^&]*&\s*([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*))re"),
};

// std::vector<double> p(n), q(n, 1.0): what declares, and each variable.
const std::regex container(
    R"re(\b(?:vector|valarray|string|deque|array)\s*<.*>\s*(?=[A-Za-z_]\w*\s*[({]))re");
const std::regex constructed(R"re(\s*([A-Za-z_]\w*)\s*[({])re");

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

// The place behind the parenthesis that closes the one before `at`.
std::size_t behind_parentheses(const std::string& text, std::size_t at) {
  for (int depth = 1; at < text.size() && depth > 0; ++at) {
    if (text[at] == '(' || text[at] == '{') ++depth;
    if (text[at] == ')' || text[at] == '}') --depth;
  }
  return at;
}

void find_containers(const std::string& text, Found& found) {
  std::smatch match;
  if (!std::regex_search(text, match, container)) return;
  auto at = static_cast<std::size_t>(match.position() + match.length());
  const auto from = [&] { return text.begin() + static_cast<std::ptrdiff_t>(at); };
  while (std::regex_search(from(), text.end(), match, constructed, std::regex_constants::match_continuous)) {
    found.emplace(at + match.position(1), match[1]);
    at = behind_parentheses(text, at + match.length());
    if (at >= text.size() || text[at] != ',') return;
    ++at;
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

// "f" of "f", "ns::f(unsigned long)" and "f<double>(int)".
std::string plain_name(std::string_view function) {
  const std::string_view name = function.substr(0, function.find_first_of("(<"));
  const auto first = std::find_if_not(name.rbegin(), name.rend(),
                                      [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return {first.base(), name.end()};
}

}  // namespace

std::vector<std::string> allocated_variables(std::string_view line, std::string_view allocator) {
  const std::string text(line);
  Found found;
  for (const std::regex& pattern : patterns) find(text, pattern, found);
  find_containers(text, found);
  if (const std::string name = plain_name(allocator); !name.empty())
    find(text, std::regex(assigned + (R"(\b)" + name) + R"(\s*[(<])"), found);
  std::smatch match;
  if (found.empty() && std::regex_search(text, match, fortran)) found = in_list(match[1]);
  std::vector<std::string> variables;
  for (const auto& [position, name] : found) {
    if (std::ranges::find(variables, name) == variables.end()) variables.push_back(name);
  }
  return variables;
}

bool returns_allocation(const std::vector<std::string>& lines, const std::vector<std::string>& variables) {
  static const std::regex at_once(
      R"((?:^|[{;)])\s*return\b.*(?:alloc\w*\s*\(|\bnew\b|\b(?:mmap|shmat)\s*\())");
  if (lines.empty() || variables.size() > 1) return false;
  if (variables.empty()) return std::regex_search(lines.front(), at_once);
  const std::string& variable = variables.front();
  if (!std::ranges::all_of(variable, [](unsigned char c) { return std::isalnum(c) || c == '_'; }))
    return false;
  const std::regex later(R"(\breturn\s*(?:\([^()]*\)\s*)?)" + variable + R"(\s*;)");
  for (const std::string& line : lines) {
    if (std::regex_search(line, later)) return true;
    if (line.starts_with('}')) return false;
  }
  return false;
}

std::string readable_variable(const std::string& symbol) {
  static const std::regex of_module("^__(.+)_MOD_(.+)$");
  std::smatch match;
  if (std::regex_match(symbol, match, of_module)) return match[1].str() + "::" + match[2].str();
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? name.get() : symbol;
}

}  // namespace gable::points
