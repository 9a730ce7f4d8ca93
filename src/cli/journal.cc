#include "cli/journal.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/decimal_text.h"
#include "base/errors.h"
#include "cli/export_files.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

using JournalJson = nlohmann::ordered_json;

constexpr const char* kClosedFile = "journal/closed.jsonl";

JournalJson json_of(const measures::ClosedMonth& closed) {
  JournalJson json;
  json["record"] = "close";
  json["month"] = to_text(closed.month);
  json["day"] = closed.day;
  json["tare"] = closed.version;
  json["inputs"] = JournalJson::array();
  for (const measures::ClosedInput& input : closed.inputs) {
    json["inputs"].push_back(
        {{"source", input.source}, {"file", input.file}, {"sha256", input.sha256}});
  }
  json["totals"] = JournalJson::array();
  for (const measures::ClosedTotal& total : closed.totals) {
    JournalJson costs = JournalJson::object();
    for (const auto& [column, amount] : total.costs) costs[column] = to_text(amount);
    json["totals"].push_back({{"source", total.source},
                              {"issuer", total.issuer},
                              {"invoice_id", total.invoice_id},
                              {"currency", total.currency},
                              {"lines", total.lines},
                              {"costs", std::move(costs)}});
  }
  return json;
}

measures::ClosedMonth closed_of(const JournalJson& json) {
  measures::ClosedMonth closed;
  closed.month = parse_month(json.at("month").get<std::string>()).value();
  json.at("day").get_to(closed.day);
  json.at("tare").get_to(closed.version);
  for (const JournalJson& input : json.at("inputs")) {
    closed.inputs.push_back({input.at("source"), input.at("file"), input.at("sha256")});
  }
  for (const JournalJson& each : json.at("totals")) {
    measures::ClosedTotal total;
    each.at("source").get_to(total.source);
    each.at("issuer").get_to(total.issuer);
    each.at("invoice_id").get_to(total.invoice_id);
    each.at("currency").get_to(total.currency);
    each.at("lines").get_to(total.lines);
    for (const auto& [column, text] : each.at("costs").items()) {
      const DecimalResult amount = parse_decimal(text.get<std::string>());
      if (!amount.ok()) throw std::invalid_argument("an amount is no decimal");
      total.costs[column] = amount.value;
    }
    closed.totals.push_back(std::move(total));
  }
  return closed;
}

[[noreturn]] void fail_to_append(const fs::path& path) {
  throw UserError("input-output",
                  "can't append to '" + path.string() + "': " + std::string(std::strerror(errno)));
}

}  // namespace

std::vector<measures::ClosedMonth> read_closed_months(const Project& project) {
  std::vector<measures::ClosedMonth> journal;
  std::ifstream stream(fs::path(project.directory) / kClosedFile);
  std::string line;
  for (int64_t number = 1; std::getline(stream, line); ++number) {
    if (line.empty()) continue;
    try {
      const JournalJson json = JournalJson::parse(line);
      if (json.at("record") == "close") journal.push_back(closed_of(json));
    } catch (const std::exception& error) {
      Place place;
      place.file = kClosedFile;
      place.line = number;
      throw UserError(
          "journal-unreadable", std::string("a line of the journal can't be read: ") + error.what(),
          "restore the file from your version control; lines are only ever added to it", place);
    }
  }
  return journal;
}

void append_closed_month(const Project& project, const measures::ClosedMonth& closed) {
  const fs::path path = fs::path(project.directory) / kClosedFile;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  // A line that a crash cut off would spoil the next one.
  std::string text;
  {
    std::ifstream old(path, std::ios::binary | std::ios::ate);
    if (old && old.tellg() > 0) {
      old.seekg(-1, std::ios::end);
      if (old.get() != '\n') text = "\n";
    }
  }
  text += json_of(closed).dump() + "\n";
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) fail_to_append(path);
  const ssize_t written = ::write(file, text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size())) {
    const int reason = written < 0 ? errno : ENOSPC;
    ::close(file);
    errno = reason;
    fail_to_append(path);
  }
  ::close(file);
  sync_path(path);
  sync_path(path.parent_path());
}

}  // namespace tare::cli
