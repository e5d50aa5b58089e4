set(valgrind_architecture amd64)
