#pragma once

// Writes JSON to a file, piece by piece.

#include <pub_tool_basics.h>

typedef struct {
  Int file;
  Bool failed;
  UInt used;
  HChar buffer[4096];
} Json;

void json_begin(Json* json, Int file);
// Text that is JSON already, formatted as by printf.
void json_text(Json* json, const HChar* format, ...) PRINTF_CHECK(2, 3);
// A string in quotes. Bytes that are not UTF-8 become U+FFFD.
void json_string(Json* json, const HChar* string);
// False if something could not be written.
Bool json_finish(Json* json);
