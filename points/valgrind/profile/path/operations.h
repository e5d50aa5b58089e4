#pragma once

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "points/valgrind/profile/path/steps.h"

// What an operation of VEX takes; NO_OPERATION if it is a part of an instruction for integers or vectors.
Latency latency_of(IROp operation);

// Whether it compares integers, and whether it makes a number of a condition.
Bool is_comparison(IROp operation);
Bool is_of_condition(IROp operation);
