#include "model/records/short_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "model/records/profile.hpp"

namespace gable::model {
namespace {

constexpr std::size_t most_columns = 44;
constexpr std::string_view opening = "<({[", closing = ">)}]";

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// The end of what starts at `at`: one character, or all of "operator<<" and "operator()".
std::size_t end_of_token(std::string_view name, std::size_t at) {
  constexpr std::string_view word = "operator";
  if (!name.substr(at).starts_with(word) || (at > 0 && is_of_name(name[at - 1]))) return at + 1;
  std::size_t end = at + word.size();
  if (name.substr(end).starts_with("()")) return end + 2;
  while (end < name.size() && std::string_view("<>=!+-*/%^&|~,").find(name[end]) != std::string_view::npos)
    ++end;
  return end;
}

// The end of the bracket that opens at `at`; the end of the name if it stays open.
std::size_t end_of_bracket(std::string_view name, std::size_t at) {
  int depth = 0;
  while (at < name.size()) {
    if (opening.find(name[at]) != std::string_view::npos) ++depth;
    if (closing.find(name[at]) != std::string_view::npos && --depth == 0) return at + 1;
    at = end_of_token(name, at);
  }
  return at;
}

// The name without its parameters, those of functions that it is within, and the result's type; with what a
// compiler made of it: "[clone ._omp_fn.0]".
std::string without_parameters(std::string_view name) {
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    const bool is_bracket = opening.find(name[at]) != std::string_view::npos;
    const std::size_t next = is_bracket ? end_of_bracket(name, at) : end_of_token(name, at);
    const bool is_parameters =
        name[at] == '(' && !text.empty() && !name.substr(at).starts_with("(anonymous namespace)");
    if (is_parameters && !name.substr(next).starts_with("::")) {
      const std::size_t clone = name.find(" [clone ", at);
      return clone == std::string_view::npos ? text : text + std::string(name.substr(clone));
    }
    if (name[at] == ' ' && !text.ends_with("operator") && !name.substr(next).starts_with('<')) {
      text.clear();
    } else if (!is_parameters) {
      text += name.substr(at, next - at);
    }
    at = next;
  }
  return text.empty() ? std::string(name) : text;
}

// The end of the argument of a template that begins at `at`.
std::size_t end_of_argument(std::string_view name, std::size_t at) {
  while (at < name.size() && name[at] != ',' && name[at] != '>')
    at = opening.find(name[at]) != std::string_view::npos ? end_of_bracket(name, at) : end_of_token(name, at);
  return std::min(at, name.size());
}

// "F" of "std::thread::_State_impl<std::thread::_Invoker<std::tuple<F, ...> > >::_M_run()", unless it is a
// pointer, which does not tell the function.
std::string_view function_of_thread(std::string_view name) {
  constexpr std::string_view thread = "std::thread::_State_impl<std::thread::_Invoker<std::tuple<";
  if (!name.starts_with(thread)) return name;
  const std::string_view found =
      name.substr(thread.size(), end_of_argument(name, thread.size()) - thread.size());
  return found.find("(*)") == std::string_view::npos ? found : name;
}

// "F" of "std::_Function_handler<void (int), F>::_M_invoke(...)"; another name as it is.
std::string_view called_function(std::string_view name) {
  constexpr std::string_view handler = "std::_Function_handler<";
  if (!name.starts_with(handler)) return name;
  const std::size_t end = end_of_bracket(name, handler.size() - 1) - 1;
  const std::size_t comma = end_of_argument(name, handler.size());
  return comma + 2 < end && name[comma] == ',' ? name.substr(comma + 2, end - comma - 2) : name;
}

// "maps.(*Map).getWithKey", a method in Go, without the path of its package if it is long.
std::string go_method(const std::string& name, std::size_t receiver) {
  const std::size_t path = name.rfind('/', receiver);
  return name.size() > most_columns && path != std::string::npos ? name.substr(path + 1) : name;
}

// With "…" for the arguments of templates that lie so deep in others.
std::string without_arguments(std::string_view name, int deepest) {
  std::string text;
  int depth = 0;
  for (std::size_t at = 0; at < name.size();) {
    if (name[at] == '<' && depth++ == deepest) {
      text += "<…>";
      at = end_of_bracket(name, at);
      --depth;
      continue;
    }
    if (name[at] == '>') --depth;
    const std::size_t next = end_of_token(name, at);
    text += name.substr(at, next - at);
    at = next;
  }
  return text;
}

}  // namespace

std::string short_function(const std::string& function) {
  if (const std::size_t receiver = function.find(".("); receiver != std::string::npos)
    return go_method(function, receiver);
  const bool is_cpp = function.find("::") != std::string::npos || function.find('(', 1) != std::string::npos;
  if (!is_cpp) return function_name(function);
  std::string name = without_parameters(function_of_thread(called_function(function)));
  for (const std::string_view inner : {"__cxx11::", "__1::"}) {
    for (std::size_t at; (at = name.find(inner)) != std::string::npos;) name.erase(at, inner.size());
  }
  for (const int deepest : {1, 0}) {
    if (name.size() > most_columns) name = without_arguments(name, deepest);
  }
  return name;
}

std::string loop_words(std::uint64_t loop, const std::string& line) {
  if (loop == 0) return {};
  return ", loop at " + (line.empty() ? fmt::format("{:#x}", loop) : line);
}

std::string short_function(const FunctionWork& work) {
  return short_function(work.function) + loop_words(work.loop, work.line);
}

}  // namespace gable::model
