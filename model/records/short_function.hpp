#pragma once

#include <string>

#include "model/records/point.hpp"

namespace gable::model {

/// The name of a C++ function as tables and charts show it: without its result, its parameters and inline
/// namespaces of the standard library. If it is still longer than a column, the template arguments of inner
/// templates, and then all, are "…". "void scale<double>(double*, int)" is "scale<double>"; other names stay.
/// Files have whole names.
std::string short_function(const std::string& function);

/// ", loop at app.c:12" or, if the line is not known, ", loop at 0x1234" (FunctionWork::loop); empty: no
/// loop.
std::string loop_words(std::uint64_t loop, const std::string& line);

/// The name of the function, and loop_words().
std::string short_function(const FunctionWork& work);

}  // namespace gable::model
