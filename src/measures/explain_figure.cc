#include "measures/explain_figure.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/errors.h"
#include "measures/cost.h"
#include "measures/evidence.h"
#include "measures/groupings.h"
#include "measures/meanings.h"
#include "measures/report.h"

namespace tare::measures {
namespace {

// "2026-08@list/cost:model,stage+team=risk:EUR/..." taken apart.
struct FigureId {
  Months months;
  std::optional<CostBasis> basis;
  std::string table;  // "cost"
  std::vector<std::string> by;
  Where where;
};

std::optional<Months> parse_months(const std::string& text) {
  const size_t dots = text.find("..");
  const std::optional<Month> first = parse_month(text.substr(0, dots));
  const std::optional<Month> last =
      dots == std::string::npos ? first : parse_month(text.substr(dots + 2));
  if (!first || !last || *last < *first) return std::nullopt;
  return Months{*first, *last};
}

std::vector<std::string> cut(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decode(const std::string& text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool encoded = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                         hex_digit(text[i + 2]) >= 0;
    if (encoded) {
      decoded += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

// "cost:model,stage+team=risk:EUR": what the table groups and filters by.
void parse_table(const std::string& segment, FigureId* id) {
  const std::vector<std::string> parts = cut(segment, ':');
  id->table = parts.front();
  const bool groups = id->table == "cost" || id->table == "waste";
  // The report's own waste in another currency is "waste:EUR"; no grouping is in capitals.
  const bool named = parts.size() > 1 && !parts[1].empty() && parts[1].front() >= 'a';
  if (!groups || !named) return;
  const std::vector<std::string> words = cut(parts[1], '+');
  id->by = cut(words.front(), ',');
  for (size_t i = 1; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    if (equals == std::string::npos) continue;
    id->where.emplace_back(words[i].substr(0, equals), decode(words[i].substr(equals + 1)));
  }
}

std::optional<FigureId> parse_figure(const std::string& text) {
  const std::vector<std::string> segments = cut(text, '/');
  if (segments.size() < 2) return std::nullopt;
  const std::vector<std::string> front = cut(segments[0], '@');
  const std::optional<Months> months = parse_months(front.front());
  if (!months || front.size() > 2) return std::nullopt;
  FigureId id{.months = *months, .basis = std::nullopt, .table = "", .by = {}, .where = {}};
  if (front.size() == 2) {
    id.basis = parse_cost_basis(front[1]);
    if (!id.basis) return std::nullopt;
  }
  parse_table(segments[1], &id);
  return id;
}

TracedDocument make_again(store::Store& store, const Project& project, const FigureId& id,
                          Question question, bool full) {
  question.by = id.by;
  question.where = id.where;
  question.full = full;
  if (id.table == "cost") return traced_cost(store, project, std::move(question));
  if (id.table == "waste" && !id.by.empty())
    return traced_waste(store, project, std::move(question));
  return traced_report(store, project, question, id.table == "run-identities");
}

struct Found {
  const TracedTable* traced = nullptr;
  size_t row = 0, column = 0;
};

std::string figure_id(const Table& table, const Row& row, const Column& column) {
  return fmt::format("{}/{}/{}", table.id, row.key, column.name);
}

Found find_cell(const TracedDocument& document, const std::string& id) {
  for (const TracedTable& traced : document.tables) {
    const Table& table = traced.table;
    if (!id.starts_with(table.id + "/")) continue;
    for (size_t cell = 0; cell < table.rows.size() * table.columns.size(); ++cell) {
      const size_t row = cell / table.columns.size(), column = cell % table.columns.size();
      if (figure_id(table, table.rows[row], table.columns[column]) == id)
        return {&traced, row, column};
    }
  }
  return {};
}

[[noreturn]] void fail_unknown_figure(const TracedDocument& document, const std::string& id) {
  constexpr size_t kMostCompared = 20'000;
  std::vector<std::string> ids;
  for (const TracedTable& traced : document.tables) {
    for (const Row& row : traced.table.rows) {
      for (const Column& column : traced.table.columns) {
        const bool is_figure = find_meaning(traced.kind, column.name) != nullptr;
        if (!is_figure || ids.size() >= kMostCompared) continue;
        ids.push_back(figure_id(traced.table, row, column));
      }
    }
  }
  const std::string near = nearest_word_in(id, ids);
  throw UserError("figure-unknown", fmt::format("there is no figure '{}'", id),
                  near.empty() ? "tare report --ids shows the ids of its figures"
                               : fmt::format("did you mean '{}'?", near));
}

bool is_money(const Value& value) {
  return std::holds_alternative<Money>(value) || std::holds_alternative<MoneyRange>(value) ||
         std::holds_alternative<Price>(value) || std::holds_alternative<LowerBound>(value);
}

Table figure_table(const Found& found, const Meaning& meaning, const Scope& scope) {
  const Table& source = found.traced->table;
  const Row& row = source.rows[found.row];
  const Value& value = row.cells[found.column];
  const Behind& behind = found.traced->behind[found.row];
  const std::string& currency =
      meaning.lineage == Lineage::kOwnBilled ? behind.own_currency : behind.currency;
  std::string text = exact_text(value);
  if (is_money(value) && !currency.empty()) text += " " + currency;
  Table table;
  table.id = "explain/figure";
  table.title = fmt::format("{} of {}", source.columns[found.column].heading, row.key);
  table.columns = {text_column("what", ""), text_column("is", "")};
  const auto add = [&](const std::string& what, std::string is) {
    table.rows.push_back({.key = what, .adds_up = false, .cells = {what, std::move(is)}});
  };
  add("value", std::move(text));
  add("meaning", std::string(meaning.meaning));
  add("formula", std::string(meaning.formula));
  add("period", scope.months.text());
  add("basis", std::string(to_text(scope.basis)));
  return table;
}

std::optional<CostBasis> basis_of(Lineage lineage) {
  switch (lineage) {
    case Lineage::kBilled:
    case Lineage::kOwnBilled:
      return CostBasis::kBilled;
    case Lineage::kEffective:
      return CostBasis::kEffective;
    case Lineage::kList:
      return CostBasis::kList;
    case Lineage::kContracted:
      return CostBasis::kContracted;
    default:
      return std::nullopt;
  }
}

bool shows_postings(Lineage lineage) {
  return lineage != Lineage::kNone && lineage != Lineage::kTime && lineage != Lineage::kIdle;
}

void add_counts(const Evidence& evidence, const Behind& behind, const Months& months) {
  if (behind.retrains) add_retrains(evidence, months, behind.model);
  if (!behind.outcome.empty()) add_outcomes(evidence, months, behind.model, behind.outcome);
}

void lay_out(const Evidence& evidence, const Scope& scope, const Behind& behind, Lineage lineage) {
  const Months months = lineage == Lineage::kMoneyBefore ? scope.months.before() : scope.months;
  Scope shown = scope;
  shown.months = months;
  if (lineage == Lineage::kIdle || lineage == Lineage::kMoneyAndIdle)
    add_idle(evidence, scope, behind);
  const bool counted = lineage == Lineage::kOutcomes || lineage == Lineage::kRetrains;
  if (counted || lineage == Lineage::kMoneyBefore) add_counts(evidence, behind, months);
  if (behind.sql.empty()) {
    evidence.document.notes.emplace_back("no posting stands behind this figure alone");
    return;
  }
  if (lineage == Lineage::kTime || behind.of_states) {
    add_device_time(evidence, all_of({behind.sql, shown.state_months_sql()}), behind.currency);
    evidence.document.notes.emplace_back(
        "a posting is split over the states of its time: tare explain ACCOUNT shows an account's "
        "postings and bill lines");
    return;
  }
  if (!shows_postings(lineage)) return;
  const std::string when = behind.own_months ? "true" : shown.day_months_sql();
  add_postings(evidence, all_of({behind.sql, when}), behind.currency);
}

}  // namespace

bool looks_like_figure(const std::string& text) { return parse_figure(text).has_value(); }

void explain_figure(store::Store& store, const Project& project, const Question& question,
                    const std::string& id, Document* document) {
  const std::optional<FigureId> parsed = parse_figure(id);
  TARE_ASSERT(parsed, "a figure's id was not looked at first");
  Question again = question;
  again.period = parsed->months.span();
  again.basis = parsed->basis.value_or(default_basis(project));
  again.sort.clear();
  again.limit = 0;
  TracedDocument made = make_again(store, project, *parsed, again, true);
  Found found = find_cell(made, id);
  if (found.traced == nullptr) {
    // A row that only the page for people has, such as small stages in one.
    made = make_again(store, project, *parsed, again, false);
    found = find_cell(made, id);
  }
  if (found.traced == nullptr) fail_unknown_figure(made, id);
  const Meaning* meaning =
      find_meaning(found.traced->kind, found.traced->table.columns[found.column].name);
  if (meaning == nullptr) fail_unknown_figure(made, id);
  const Scope scope = make_scope(store, project, again);
  document->facts = {{"project", project.name}, {"figure", id}};
  document->tables.push_back(figure_table(found, *meaning, scope));
  if (const auto basis = basis_of(meaning->lineage); basis && *basis != again.basis) {
    again.basis = *basis;
    make_scope(store, project, again);  // the relations' cost becomes the figure's own
  }
  lay_out({.store = store,
           .project = project,
           .document = *document,
           .basis = again.basis,
           .full = question.full},
          scope, found.traced->behind[found.row], meaning->lineage);
}

}  // namespace tare::measures
