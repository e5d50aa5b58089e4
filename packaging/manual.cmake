# Writes the manual pages and the shells' completion, which the program prints itself. `gable` is the built program.
set(share "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share")
