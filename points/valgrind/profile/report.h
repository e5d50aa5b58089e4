#pragma once

// Writes the profile into the file of counts (docs/formats/profile.md).

#include "points/valgrind/json.h"

void profile_report(Json* json);
