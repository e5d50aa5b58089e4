#include "points/valgrind/json.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>

static void flush(Json* json) {
  for (UInt done = 0; done < json->used && !json->failed;) {
    const Int written = VG_(write)(json->file, json->buffer + done, json->used - done);
    if (written <= 0) json->failed = True;
    done += written;
  }
  json->used = 0;
}

static void put(Json* json, HChar c) {
  if (json->used == sizeof json->buffer) flush(json);
  json->buffer[json->used++] = c;
}

static void put_all(Json* json, const HChar* text) {
  while (*text) put(json, *text++);
}

void json_begin(Json* json, Int file) {
  json->file = file;
  json->failed = False;
  json->used = 0;
}

void json_text(Json* json, const HChar* format, ...) {
  HChar text[256];
  va_list values;
  va_start(values, format);
  VG_(vsnprintf)(text, sizeof text, format, values);
  va_end(values);
  put_all(json, text);
}

// Length of the UTF-8 sequence that begins here (RFC 3629, section 4); 0 if there is none.
static UInt utf8_length(const UChar* c) {
  if (c[0] < 0x80) return 1;
  const UInt length = c[0] >= 0xc2 && c[0] < 0xe0   ? 2
                      : (c[0] & 0xf0) == 0xe0       ? 3
                      : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                                    : 0;
  for (UInt i = 1; i < length; ++i) {
    if ((c[i] & 0xc0) != 0x80) return 0;
  }
  const Bool is_overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
  const Bool is_outside = (c[0] == 0xed && c[1] >= 0xa0) || (c[0] == 0xf4 && c[1] >= 0x90);
  return is_overlong || is_outside ? 0 : length;
}

void json_string(Json* json, const HChar* string) {
  put(json, '"');
  while (*string) {
    const UInt length = utf8_length((const UChar*)string);
    if (length == 0) {
      put_all(json, "\\ufffd");
      ++string;
    } else if ((UChar)*string < 0x20) {
      json_text(json, "\\u%04x", (UInt)*string++);
    } else {
      if (*string == '"' || *string == '\\') put(json, '\\');
      for (UInt i = 0; i < length; ++i) put(json, *string++);
    }
  }
  put(json, '"');
}

Bool json_finish(Json* json) {
  flush(json);
  return !json->failed;
}
