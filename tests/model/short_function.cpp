#include "model/records/short_function.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

namespace gable::model {
namespace {

TEST(ShortFunction, HasNeitherResultNorParameters) {
  const std::pair<const char*, const char*> names[] = {
      {"", "(no symbol)"},
      {"main", "main"},
      {"main._omp_fn.0", "main._omp_fn.0"},
      {"(in the kernel)", "(in the kernel)"},
      {"solve(double*, int)", "solve"},
      {"void scale<double>(double*, int)", "scale<double>"},
      {"void scale<float>(float*, int)", "scale<float>"},
      {"solve(double*, int) [clone ._omp_fn.0]", "solve [clone ._omp_fn.0]"},
      {"(anonymous namespace)::probe(int) const", "(anonymous namespace)::probe"},
      {"std::function<void (int)>::operator()(int) const", "std::function<void (int)>::operator()"},
      {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"},
      {"std::ostream& operator<< <char>(std::ostream&, char)", "operator<< <char>"},
      {"operator new(unsigned long)", "operator new"},
      {"Matrix::operator->() const", "Matrix::operator->"},
      {"std::__cxx11::to_string(int)", "std::to_string"},
      {"std::_Function_handler<void (int, char), app::run(int)::{lambda(int, "
       "char)#3}>::_M_invoke(std::_Any_data const&, "
       "int&&, char&&)",
       "app::run::{lambda(int, char)#3}"},
      {"std::thread::_State_impl<std::thread::_Invoker<std::tuple<main::{lambda(int)#2}, int> > >::_M_run()",
       "main::{lambda(int)#2}"},
      {"std::thread::_State_impl<std::thread::_Invoker<std::tuple<void (*)(int), int> > >::_M_run()",
       "std::thread::_State_impl<…>::_M_run"},
  };
  for (const auto& [whole, brief] : names) EXPECT_EQ(short_function(whole), brief) << whole;
}

TEST(ShortFunction, KeepsTheReceiversOfGo) {
  EXPECT_EQ(short_function("main.main"), "main.main");
  EXPECT_EQ(short_function("internal/runtime/maps.(*Map).getWithKey"),
            "internal/runtime/maps.(*Map).getWithKey");
  EXPECT_EQ(short_function("example.org/matrices/sparse/compressed.(*Rows).Multiply"),
            "compressed.(*Rows).Multiply");
}

TEST(ShortFunction, LeavesArgumentsOfTemplatesOutUntilItFits) {
  EXPECT_EQ(short_function("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> "
                           ">::_M_append(char const*, unsigned long)"),
            "std::basic_string<…>::_M_append");
  EXPECT_EQ(
      short_function(
          "void relax<Grid<double, Layout<4, 8, 16, Padded> >, 3>(Grid<double, Layout<4, 8, 16, Padded> >&)"),
      "relax<Grid<…>, 3>");
}

// Whatever a compiler or a damaged file has as a name.
TEST(ShortFunction, HasANameForEveryName) {
  std::mt19937 random(7);
  const std::string letters = "ab: ,<>(){}[]~&*operator()...";
  for (int i = 0; i < 20'000; ++i) {
    std::string name;
    for (int j = random() % 60; j > 0; --j) name += letters[random() % letters.size()];
    EXPECT_LE(short_function(name).size(), name.size() + 40) << name;
    EXPECT_FALSE(short_function(name).empty()) << name;
  }
}

}  // namespace
}  // namespace gable::model
