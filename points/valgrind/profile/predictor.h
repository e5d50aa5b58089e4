#pragma once

// A branch predictor of the kind that cores have today, TAGE (Seznec and Michaud, Journal of
// Instruction-Level Parallelism 8, 2006): tables for histories of several lengths. The longest history that
// knows a branch predicts it. Targets of indirect jumps are predicted likewise.

#include <pub_tool_basics.h>

// What is known of a branch, by itself or after a history.
typedef struct {
  UShort tag;    // 0: unused
  Char counter;  // -4 to 3; from 0 on taken
  UChar useful;  // how often it was right where a shorter history was wrong, up to 3
} Knowledge;

typedef struct {
  UShort name;           // for the tables
  Bool is_known;         // has been seen
  Bool was_taken;        // at its first time
  Bool takes_both_ways;  // has not always done the same
  UChar tables;          // a bit for each that has learned it after a history
  Knowledge without;     // a history
} PredictedBranch;

// Predicts the branch, learns the outcome, and returns whether it was mispredicted.
Bool predictor_mispredicts(PredictedBranch* branch, Bool taken);

// An indirect jump or call, of which the predictor knows the last target without a history.
typedef struct {
  UShort name;
  Addr target;
} PredictedJump;

// Likewise. The first target of a jump is not mispredicted.
Bool predictor_mispredicts_jump(PredictedJump* jump, Addr target);

// Forgets all histories.
void predictor_forget(void);
