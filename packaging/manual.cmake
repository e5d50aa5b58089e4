# Installs the manual pages and the shells' completion, which the program prints itself. `gable` is the built program.
cmake_minimum_required(VERSION 3.25)
set(share "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share")
find_program(GZIP gzip)

execute_process(COMMAND ${gable} man RESULT_VARIABLE lacks_man OUTPUT_QUIET ERROR_QUIET)  # until branch cli has landed
if(lacks_man)
  return()
endif()

# The output of the program, into a file.
function(gable_prints file)
  execute_process(COMMAND ${gable} ${ARGN} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(MAKE_DIRECTORY ${share}/man/man1 ${share}/bash-completion/completions ${share}/zsh/vendor-completions)
gable_prints(${share}/bash-completion/completions/gable completion bash)
gable_prints(${share}/zsh/vendor-completions/_gable completion zsh)

# Each page names those of the commands below it.
set(waiting gable)
set(written)
while(waiting)
  list(POP_FRONT waiting name)
  if(name IN_LIST written)
    continue()
  endif()
  list(APPEND written ${name})
  set(page ${share}/man/man1/${name}.1)
  string(REPLACE "-" ";" words ${name})
  list(REMOVE_AT words 0)
  gable_prints(${page} man ${words})
  file(READ ${page} text)
  string(REGEX MATCHALL "gable[\\\\a-z-]* \\(1\\)" named "${text}")
  foreach(one ${named})
    string(REGEX REPLACE "[\\\\]|( \\(1\\))" "" one "${one}")
    list(APPEND waiting ${one})
  endforeach()
  if(GZIP)
    execute_process(COMMAND ${GZIP} -9nf ${page} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endwhile()
