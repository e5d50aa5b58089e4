#pragma once

#include <string>

namespace gable::model {

/// The name of a C++ function as tables and charts show it: without its result, its parameters and inline
/// namespaces of the standard library. If it is still longer than a column, the template arguments of inner
/// templates, and then all, are "…". "void scale<double>(double*, int)" is "scale<double>"; other names stay.
/// Files have whole names.
std::string short_function(const std::string& function);

}  // namespace gable::model
