#pragma once

// What the accesses of a program reach. One row each.

#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

enum class ObjectKind { heap, mapping, variable, stack, file, other };

struct ObjectKindRow {
  ObjectKind value;
  std::string_view name;
  bool is_allocated;  ///< by the program, while it runs
};
inline constexpr ObjectKindRow object_kind_rows[] = {
    {ObjectKind::heap, "heap", true},         // blocks of malloc and the like
    {ObjectKind::mapping, "mapping", true},   // of mmap, without a file
    {ObjectKind::variable, "static", false},  // of an image
    {ObjectKind::stack, "stack", false},      // those of all threads
    {ObjectKind::file, "file", false},        // a mapped one
    {ObjectKind::other, "other", false},
};
static_assert(is_in_order(object_kind_rows));
constexpr std::span<const ObjectKindRow> table(ObjectKind) {
  return object_kind_rows;
}

}  // namespace gable::model
