// How the program ends when something else than main ends it: a signal is 130, a closed pipe no
// signal at all, an abort a bug (3).
#pragma once

namespace tare::cli {

// An interrupt ends the process at once: the store is replaced atomically, so there is nothing to
// undo, and part files are removed by the next load. A signal that the parent had ignored stays so.
void install_signal_handlers();

// Whether a progress line stands on the terminal, so that an interrupt erases it.
void note_progress_line(bool shown);

}  // namespace tare::cli
