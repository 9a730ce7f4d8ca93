// stdout is the answer, stderr the talk. A closed pipe is no error; any other failure of stdout is.
#pragma once

#include <string>
#include <string_view>

#include "base/errors.h"
#include "base/table.h"
#include "cli/options.h"

namespace tare::cli {

// Opens what the parent closed of stdin, stdout and stderr, so that no file of the store can get
// their numbers and be written an answer into. A closed stdout stays one that can't be written.
void hold_standard_streams();

struct ClosedPipe {};  // thrown when the reader of stdout went away

// Throws ClosedPipe, or UserError output-not-written.
void write_stdout(std::string_view text);
// Never fails: there is nobody left to tell.
void write_stderr(std::string_view text);

bool is_terminal(int fd);
// 0 where `fd` is no terminal or does not say.
int terminal_width(int fd);

// The document in the format that was asked for, on stdout.
void answer(const Document& document, const Options& options);
// One line on stderr, "tare: " in front; not with --quiet.
void say(std::string_view text, const Options& options);
// The same, only with --verbose.
void say_detail(std::string_view text, const Options& options);
// A document in text on stderr; not with --quiet.
void say_document(const Document& document, const Options& options);

// The error as people read it, or as one line of JSON with the same fields: {"schema_version",
// "error": {"code", "message", "file", "line", "column", "source_line", "hint"}}, what is not known
// left out.
std::string error_text(const UserError& error, bool as_json);

}  // namespace tare::cli
