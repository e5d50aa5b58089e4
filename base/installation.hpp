#pragma once

// Where the files lie that come with the program. They are found from the program's own place, so that a
// build tree, an installation and a bundle can each be moved as a whole.

#include <filesystem>

namespace gable {

/// The absolute path by which this program is started again, on other nodes with the same installation too.
/// Throws std::filesystem::filesystem_error.
std::filesystem::path own_program();

/// The folder of the published machines, and of measured ones in its folder measured/:
/// ../share/gable/machines from an installed or bundled program, ../machines from the build folder. Empty
/// where there is none.
std::filesystem::path installed_machines();

/// The folder of the Valgrind tool and its launcher: ../libexec/gable/valgrind from an installed or bundled
/// program, libexec/gable/valgrind in the build folder. Empty where it was not built.
std::filesystem::path installed_valgrind_tool();

}  // namespace gable
