#pragma once

#include <concepts>
#include <type_traits>

namespace gable {

/// T is `Record`, or `const Record` where a description of its fields serves a writer.
template <typename T, typename Record>
concept As = std::same_as<std::remove_const_t<T>, Record>;

}  // namespace gable
