set(valgrind_architecture arm64)
set(compiler_support gcc-sup-arm64-linux)  # libgcc's atomics need __getauxval
