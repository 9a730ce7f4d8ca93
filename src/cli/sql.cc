// tare sql: the user's questions in SQL, from the command line, a pipe or a prompt.
#include <iostream>
#include <iterator>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/promised_views.h"
#include "cli/session.h"
#include "cli/sql_answer.h"

namespace tare::cli {
namespace {

Document empty_document() {
  Document document;
  document.command = "sql";
  return document;
}

std::vector<Statement> all_statements(const std::string& text) {
  Statements statements = split_statements(text);
  if (!statements.rest.text.empty()) statements.complete.push_back(std::move(statements.rest));
  if (statements.complete.empty()) {
    throw UserError("usage", "there is no SQL statement to run",
                    "for example: tare sql 'SELECT count(*) FROM posting'");
  }
  return statements.complete;
}

int run_all(const std::string& text, store::Store& store, const Options& options) {
  const std::vector<Statement> statements = all_statements(text);
  Document document = empty_document();
  for (size_t i = 0; i < statements.size(); ++i) {
    const std::string id = statements.size() == 1 ? "sql" : "sql/" + std::to_string(i + 1);
    document.tables.push_back(run_statement(store.connection(), statements[i], id));
  }
  answer(document, options);
  return kDone;
}

// A dialogue on a terminal. Prompts and errors are talk; a failed statement does not end it.
class Prompt {
 public:
  Prompt(store::Store& store, const Options& options) : store_(store), options_(options) {}

  int run() {
    say("statements end with ';'; .help says what else there is", options_);
    std::string line;
    while (!done_) {
      write_stderr(buffer_.empty() ? "tare> " : " ...> ");
      if (!std::getline(std::cin, line)) {
        write_stderr("\n");
        break;
      }
      try {
        take(line);
      } catch (const UserError& error) {
        buffer_.clear();
        write_stderr(to_text(error));
      }
    }
    return kDone;
  }

 private:
  void take(const std::string& line) {
    if (buffer_.empty() && line.starts_with('.')) return command(line);
    buffer_ += line + "\n";
    const Statements statements = split_statements(buffer_);
    const bool unfinished = statements.open || !statements.rest.text.empty();
    buffer_.erase(0, unfinished ? statements.rest_begin : buffer_.size());
    for (const Statement& statement : statements.complete) show(statement);
  }

  void show(const Statement& statement) {
    Document document = empty_document();
    document.tables.push_back(run_statement(store_.connection(), statement, "sql"));
    answer(document, options_);
  }

  void command(const std::string& line) {
    const size_t space = line.find(' ');
    const std::string word = line.substr(0, space);
    const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
    if (word == ".quit" || word == ".exit") {
      done_ = true;
    } else if (word == ".tables") {
      for (const std::string_view view : kPromisedViews) write_stdout(std::string(view) + "\n");
    } else if (word == ".schema") {
      show_schema(rest);
    } else {
      check_word("the prompt", word, {".help", ".tables", ".schema", ".quit"});
      write_stderr(
          ".tables        the views\n"
          ".schema VIEW   a view's columns\n"
          ".quit          leave; so does the end of input\n");
    }
  }

  void show_schema(const std::string& view) {
    check_word(".schema", view, {kPromisedViews.begin(), kPromisedViews.end()});
    show({.text = "SELECT column_name, column_type FROM (DESCRIBE " + view + ")"});
  }

  store::Store& store_;
  const Options& options_;
  std::string buffer_;
  bool done_ = false;
};

}  // namespace

int run_sql(const Options& options) {
  Session session = open_session(options);
  if (!options.operands.empty()) return run_all(options.operand(0), session.store, options);
  if (is_terminal(STDIN_FILENO)) return Prompt(session.store, options).run();
  const std::string text{std::istreambuf_iterator<char>(std::cin),
                         std::istreambuf_iterator<char>()};
  return run_all(text, session.store, options);
}

}  // namespace tare::cli
