// An open project: what every command that answers from the store begins with and ends in.
#pragma once

#include <string>

#include "cli/options.h"
#include "measures/measures.h"
#include "store/store.h"

namespace tare::cli {

enum ExitCodeValue : int { kDone = 0, kAnswerIsNo = 1, kUnusable = 2 };

struct Session {
  Project project;
  store::Store store;
};

// Finds tare.yaml at or above -C, reads it, opens the store. Says so when tare.yaml has changed
// since the load, as figures follow what was loaded.
Session open_session(const Options& options);

// The period of the options in whole months; an open end is the newest or oldest month in which
// something was posted. Empty where none was asked for.
measures::Question question_of(const Options& options, Session& session);

// 1 with --strict where the store has findings of severity warning or error, with a word on stderr;
// else 0.
int strict_exit(store::Store& store, const Options& options);

// Writes the answer; the exit code is strict_exit's.
int finish(const Document& document, const Options& options, Session& session);

}  // namespace tare::cli
