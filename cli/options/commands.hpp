#pragma once

// The commands of the program. Each folder of cli/ has one file options.cpp that declares the options of its
// commands; only these files and cli/options/ include CLI11, which takes seconds to compile. The work of a
// command takes its arguments as a plain struct. It throws Error::usage (exit status 2), Error::program (that
// program's exit status) or any other std::exception (exit status 1).

namespace CLI {
class App;
}

namespace gable::cli {

/// Add a command's options to the App and set the callback that runs it.
void define_machine(CLI::App& command);
void define_measure(CLI::App& command);
void define_bench(CLI::App& command);
void define_fit(CLI::App& command);
void define_place(CLI::App& command);
void define_show(CLI::App& command);
void define_compare(CLI::App& command);
void define_cluster(CLI::App& command);
void define_plot(CLI::App& command);
void define_report(CLI::App& command);
void define_point(CLI::App& command);
void define_profile(CLI::App& command);
void define_predict(CLI::App& command);
void define_export(CLI::App& command);
void define_kmaf(CLI::App& command);
void define_virt(CLI::App& command);
void define_completion(CLI::App& command);
void define_man(CLI::App& command);

/// Runs the command that the arguments name. Returns the exit status.
int run_command(int argc, char** argv);

}  // namespace gable::cli
