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
#include <sstream>

#include "base/lists.hpp"

namespace gable::points {
namespace {

// What is assigned to, and the assignment up to what allocates.
constexpr const char* assigned =
    R"re(([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*|\[[^\]=]*\])*)(?:\)\[[^\]=]*\])?\s*=\s*[^=;,]*?)re";

// std::vector<double> p(n), q = p: types that allocate for their variables, and what may follow a variable.
constexpr const char* containers =
    "(?:vector|valarray|deque|array|list|forward_list|(?:unordered_)?(?:multi)?(?:map|set))\\s*<.*>|string";
constexpr const char* declared = R"re(\s+(?=[A-Za-z_]\w*\s*(?:[({;,]|=[^=])))re";

using Found = std::map<std::ptrdiff_t, std::string>;  // by position in the line

void find(const std::string& text, const std::regex& pattern, Found& found) {
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    found.emplace(match->position(1), (*match)[1]);
  }
}

// The variables to which memory is assigned.
void find_assigned(const std::string& text, Found& found) {
  static const std::regex patterns[] = {
      // p = malloc(...), s->p[i] = (double*)calloc(...), p = new double[n], (*p)[n] = malloc(...),
      // p = std::make_unique<double[]>(n)
      std::regex(
          std::string(assigned) +
          R"re((?:\bnew\b|\w*alloc\w*\s*\(|\b(?:mmap|mremap|shmat|sbrk)(?:64)?\s*\(|\bmake_(?:unique|shared)\w*))re"),
      // p.resize(n), p.reserve(n), p.assign(n, 0), p.push_back(x)
      std::regex(
          R"re(([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*)(?:\.|->)(?:resize|reserve|assign|push_back|emplace_back|reset)\s*\()re"),
      // posix_memalign((void**)&p, ...)
      std::regex(R"re(posix_memalign\s*\([^&]*&\s*([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*))re"),
  };
  for (const std::regex& pattern : patterns) find(text, pattern, found);
}

// The place behind the parenthesis that closes the one before `at`.
std::size_t behind_parentheses(const std::string& text, std::size_t at) {
  for (int depth = 1; at < text.size() && depth > 0; ++at) {
    if (text[at] == '(' || text[at] == '{') ++depth;
    if (text[at] == ')' || text[at] == '}') --depth;
  }
  return at;
}

// The variables that a declaration constructs: those of this type, and of containers.
void find_constructed(const std::string& text, const std::string& type, Found& found) {
  static const std::regex constructed(R"re(\s*([A-Za-z_]\w*)\s*([({;,=]))re");
  std::smatch match;
  if (!std::regex_search(text, match, std::regex(R"(\b(?:)" + type + ")" + declared))) return;
  auto at = static_cast<std::size_t>(match.position() + match.length());
  const auto from = [&] { return text.begin() + static_cast<std::ptrdiff_t>(at); };
  while (std::regex_search(from(), text.end(), match, constructed, std::regex_constants::match_continuous)) {
    found.emplace(at + match.position(1), match[1]);
    at += static_cast<std::size_t>(match.length());
    if (match[2] == "(" || match[2] == "{") at = behind_parentheses(text, at);
    if (match[2] == "=") at = std::min(text.find(',', at), text.size());
    if (match[2] == ",") --at;
    if (at >= text.size() || text[at] != ',') return;
    ++at;
  }
}

// Commas within parentheses separate no variables.
std::vector<std::string> in_list(const std::string& list, const std::regex& pattern) {
  std::vector<std::string> found;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    if (at < list.size() && list[at] == '(') ++depth;
    if (at < list.size() && list[at] == ')') --depth;
    if (at < list.size() && (list[at] != ',' || depth > 0)) continue;
    std::smatch match;
    const std::string part = list.substr(begin, at - begin);
    if (std::regex_match(part, match, pattern)) found.push_back(match[1]);
    begin = at + 1;
  }
  return found;
}

// Without what lies between < and >, or between the parentheses of a name like "(anonymous namespace)".
std::string without_arguments(std::string_view function) {
  std::string text;
  int depth = 0;
  for (const char c : function) {
    if (c == '>') --depth;
    if (depth == 0 && c != '>' && c != '<') text += c;
    if (c == '<') ++depth;
  }
  static const std::regex inner(R"(\((?:anonymous namespace|lambda)\)::)");
  text = std::regex_replace(text, inner, "");
  return text.substr(0, text.find('('));
}

// What follows the last ::, without a type before it.
std::string plain_name(std::string_view function) {
  const std::string name = without_arguments(function);
  const auto first = std::find_if_not(name.rbegin(), name.rend(),
                                      [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return {first.base(), name.end()};
}

// The variables whose method a line calls, or which it constructs: `p.name(n)`, `p[i]`, `name p(n)`.
Found of_callee(const std::string& text, std::string_view callee) {
  constexpr const char* object = R"re(([A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*?))re";
  Found found;
  if (callee.find("operator[]") != std::string_view::npos)
    find(text, std::regex(std::string(object) + R"(\s*\[)"), found);
  if (callee.find("operator=") != std::string_view::npos)
    find(text, std::regex(std::string(object) + R"(\s*=[^=])"), found);
  const std::string name = plain_name(callee);
  if (name.empty() || !found.empty()) return found;
  find(text, std::regex(object + (R"((?:\.|->))" + name) + R"(\s*[(<])"), found);
  if (found.empty()) find_constructed(text, name + R"((?:\s*<.*>)?)", found);
  return found;
}

std::vector<std::string> in_order(const Found& found) {
  std::vector<std::string> variables;
  for (const auto& [position, name] : found) add_once(variables, name);
  return variables;
}

}  // namespace

std::vector<std::string> allocated_variables(std::string_view line, std::string_view callee,
                                             bool is_returned) {
  const std::string text(line);
  Found found;
  if (const std::string name = plain_name(callee); is_returned && !name.empty())
    find(text, std::regex(assigned + (R"(\b)" + name) + R"(\s*[(<])"), found);
  if (found.empty()) found = of_callee(text, callee);
  if (!found.empty()) return in_order(found);
  find_assigned(text, found);
  find_constructed(text, containers, found);
  static const std::regex of_container(std::string(assigned) + R"(\b(?:)" + containers + R"()\s*[({])");
  if (found.empty()) find(text, of_container, found);
  return in_order(found);
}

std::vector<std::string> initialized_members(std::string_view line) {
  // Behind the constructor's parameters, or in a line of its own.
  static const std::regex lists[] = {
      std::regex(R"re(\)\s*(?:noexcept\s*)?:\s*(?=[A-Za-z_]\w*\s*[({]))re"),
      std::regex(
          R"re(^\s*[:,]?\s*(?=(?!(?:if|for|while|switch|return)\b)[A-Za-z_]\w*\s*[({].*(?:,|[)}]|\{)\s*$))re")};
  static const std::regex initialized(R"re(\s*([A-Za-z_]\w*)\s*[({])re");
  static const std::regex allocates(R"re(\bnew\b|\w*alloc\w*\s*\(|\bmake_(?:unique|shared)\b)re");
  const std::string text(line);
  std::smatch match;
  if (!std::regex_search(text, match, lists[0]) && !std::regex_search(text, match, lists[1])) return {};
  std::vector<std::string> members, allocated;
  for (auto at = static_cast<std::size_t>(match.position() + match.length()); at < text.size();) {
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(at);
    if (!std::regex_search(from, text.end(), match, initialized, std::regex_constants::match_continuous))
      break;
    const std::size_t begin = at + static_cast<std::size_t>(match.length());
    const std::size_t end = behind_parentheses(text, begin);
    members.push_back(match[1]);
    const std::string value = text.substr(begin, end - begin);
    if (std::regex_search(value, allocates)) allocated.push_back(match[1]);
    at = std::min(text.find(',', end), text.size() - 1) + 1;
  }
  return allocated.empty() ? members : allocated;
}

std::vector<std::string> fortran_variables(std::string_view statements) {
  // Of Fortran: allocate(p(n), q(n), stat=i), where C would assign, and declarations of arrays whose size is
  // known when the procedure begins: real(8) :: p(n), q(n). What follows are the variables.
  static const std::regex allocate(
      R"re(^\s*(?:if\s*\(.*\)\s*)?allocate\s*\((?:[^:()]*(?:\([^)]*\))?\s*::)?(.*)\)\s*$)re",
      std::regex::icase);
  static const std::regex declaration(
      R"re(^\s*(?:real|integer|complex|logical|character|double\s+precision|type)\b(?:[^:]*::|(?:\*\d+)?(?:\([^()]*\))?\s)(.*)$)re",
      std::regex::icase);
  static const std::regex fortran_variable(R"re(\s*([A-Za-z_]\w*(?:%[A-Za-z_]\w*)*)\s*(?:\(.*)?)re");
  static const std::regex fortran_array(R"re(\s*([A-Za-z_]\w*)\s*\(.*\)\s*)re");
  std::vector<std::string> variables;
  std::istringstream in{std::string(statements)};
  for (std::string statement; std::getline(in, statement, ';');) {
    std::smatch match;
    std::vector<std::string> found;
    if (std::regex_match(statement, match, allocate))
      found = in_list(match[1], fortran_variable);
    else if (std::regex_match(statement, match, declaration))
      found = in_list(match[1], fortran_array);
    variables.insert(variables.end(), found.begin(), found.end());
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
  static const std::regex of_module("^__(.+)_MOD_(.+)$"), of_function(R"(^([A-Za-z_]\w*)\.\d+$)");
  std::smatch match;
  if (std::regex_match(symbol, match, of_module)) return match[1].str() + "::" + match[2].str();
  if (symbol == "__BLNK__") return "blank COMMON";
  if (std::regex_match(symbol, match, of_function)) return match[1];
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? name.get() : symbol;
}

}  // namespace gable::points
