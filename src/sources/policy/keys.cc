#include "sources/policy/keys.h"

#include "sources/formats.h"

namespace tare::sources {
namespace {

Key leaf(std::string name, KeyForm form, std::string doc, std::string example = "") {
  Key key;
  key.name = std::move(name);
  key.form = form;
  key.doc = std::move(doc);
  key.example = std::move(example);
  return key;
}

Key needed(Key key) {
  key.required = true;
  return key;
}

Key later(Key key) {
  key.later = true;
  return key;
}

Key choice(std::string name, std::string doc, std::vector<std::string> values,
           std::string example = "") {
  Key key = leaf(std::move(name), KeyForm::kChoice, std::move(doc), std::move(example));
  key.values = std::move(values);
  return key;
}

Key nested(std::string name, KeyForm form, std::string doc, std::vector<Key> keys) {
  Key key = leaf(std::move(name), form, std::move(doc));
  key.keys = std::move(keys);
  return key;
}

Key map_of(std::string name, std::string doc, std::vector<Key> keys) {
  return nested(std::move(name), KeyForm::kMap, std::move(doc), std::move(keys));
}
Key names_of(std::string name, std::string doc, Key value) {
  return nested(std::move(name), KeyForm::kNames, std::move(doc), {std::move(value)});
}
Key list_of(std::string name, std::string doc, Key item) {
  return nested(std::move(name), KeyForm::kList, std::move(doc), {std::move(item)});
}
Key either(std::string name, std::string doc, Key text, Key map) {
  return nested(std::move(name), KeyForm::kEither, std::move(doc),
                {std::move(text), std::move(map)});
}

std::vector<std::string> basis_words() { return {"billed", "effective", "list", "contracted"}; }

Key model_fractions(std::string doc) {
  return names_of("models", std::move(doc),
                  leaf("<model>", KeyForm::kFraction, "the model's part, exact", "1/3"));
}

Key columns_key() {
  return names_of(
      "columns", "our column: the file's column, where the names differ",
      either("<column>", "the file's own name of the column",
             leaf("", KeyForm::kText, "the file's own name of the column"),
             map_of("", "of a column of times that are numbers",
                    {needed(leaf("column", KeyForm::kText, "the file's own name of the column")),
                     choice("unit", "what a number counts since 1970",
                            {"iso", "s", "ms", "us", "ns"}, "iso")})));
}

Key source_entry(SourceKind kind) {
  std::vector<std::string> names;
  for (const std::vector<Format>* table : {&formats(), &later_formats()}) {
    for (const Format& format : *table) {
      if (format.kind == kind) names.emplace_back(format.name);
    }
  }
  std::vector<Key> keys = {
      needed(choice("format", "how the file is written", std::move(names))),
      leaf("path", KeyForm::kText,
           "a file, a folder or a pattern with *, ?, [] and ** for folders; below the project's "
           "folder, or absolute"),
      later(leaf("uri", KeyForm::kText, "of a server, where the format is read from one")),
      later(leaf("url", KeyForm::kText, "of a server, where the format is read from one")),
      leaf("name", KeyForm::kText, "the source's name in tables and findings",
           std::string(kind_key(kind)) + "/<format>"),
      columns_key(),
      leaf("time_zone", KeyForm::kZone, "of times that name no zone themselves", "UTC"),
  };
  switch (kind) {
    case SourceKind::kBill:
      keys.push_back(leaf("currency", KeyForm::kCurrency, "of a bill without a currency column"));
      keys.push_back(choice("basis", "the cost that unit costs of this bill's lines take",
                            basis_words(), "effective"));
      keys.push_back(
          choice("scope",
                 "what a delivery is of: of a billing period, which GCP calls an invoice "
                 "month, a newer one replaces; or each file adds to the others",
                 {"billing-period", "invoice-month", "append"}, "billing-period"));
      keys.push_back(
          choice("newest",
                 "which delivery of a month replaces the others where no manifest says: "
                 "the last folder or file by name; export-time: GCP's, of folders, else of files",
                 {"folder", "file", "export-time"}));
      break;
    case SourceKind::kInvoices:
    case SourceKind::kRateCards:
      keys.push_back(leaf("currency", KeyForm::kCurrency, "of a file without a currency column"));
      break;
    case SourceKind::kRuns:
    case SourceKind::kHolds:
    case SourceKind::kOutcomes:
    case SourceKind::kRequests:
      keys.push_back(leaf("model", KeyForm::kText, "the model of a file without a model column"));
      break;
    default:
      break;
  }
  return map_of("", "", std::move(keys));
}

Key sources_key() {
  std::vector<Key> kinds;
  for (const KindName& kind : source_kinds()) {
    kinds.push_back(
        list_of(std::string(kind.key), std::string(kind.summary), source_entry(kind.kind)));
  }
  return map_of("sources", "the files that tare reads, a list under each kind", std::move(kinds));
}

Key models_key() {
  return names_of(
      "models", "what is known of each model, by its name",
      map_of(
          "<model>", "",
          {leaf("outcome", KeyForm::kText, "the outcome that cost per outcome divides by"),
           leaf("team", KeyForm::kText, "who pays for the model"),
           names_of("stage_tags", "tags that name the model and a stage of it",
                    either("<stage>", "a tag of bill lines of this stage",
                           leaf("", KeyForm::kTagMatch, "key=value-pattern", "endpoint=fraud"),
                           names_of("", "one key with its pattern",
                                    leaf("<tag>", KeyForm::kGlob, "pattern of the tag's value")))),
           leaf("deploy_window", KeyForm::kDuration,
                "how long a new version may take to be in service", "0s"),
           leaf("interrupt_tolerant", KeyForm::kFlag, "whether its jobs may be interrupted",
                "false")}));
}

Key identity_key() {
  return list_of(
      "identity", "rules that name the model of a tagged bill line; the first that matches counts",
      map_of(
          "", "",
          {needed(names_of("match", "tags that must all match",
                           leaf("<tag>", KeyForm::kGlob, "pattern of the tag's value", "reco-*"))),
           needed(
               leaf("model", KeyForm::kText, "the model; ${tag} stands for a matched tag's value")),
           leaf("stage", KeyForm::kText, "the stage; may hold ${tag}"),
           leaf("team", KeyForm::kText, "the team; may hold ${tag}")}));
}

Key shares_key() {
  return list_of("shares", "how a run or endpoint that serves several models is divided among them",
                 map_of("", "",
                        {needed(leaf("run", KeyForm::kGlob, "pattern of run ids", "endpoint/both")),
                         model_fractions("parts by model, together exactly 1"),
                         choice("by", "instead of parts: what divides it", {"requests"})}));
}

std::vector<std::string> shared_rules() {
  return {"keep", "proportional", "by-request", "equal", "declared"};
}

Key shared_key() {
  return names_of(
      "shared",
      "charges that several models cause, by a name of yours; the first that matches counts",
      either(
          "<what>", "a rule alone is for charges whose service or category holds the name",
          choice("", "how it is divided", shared_rules()),
          map_of(
              "", "",
              {map_of("match", "which charges; without regard to case",
                      {leaf("service", KeyForm::kGlob, "pattern of the service's name"),
                       leaf("category", KeyForm::kGlob, "pattern of the service's category")}),
               choice("rule", "how it is divided; declared takes models", shared_rules(), "keep"),
               model_fractions("parts by model, together exactly 1")})));
}

Key policy_key() {
  return map_of(
      "policy", "the choices that decide numbers",
      {choice("split", "how a node's charge is shared", {"device-time"}, "device-time"),
       choice("idle", "idle stays visible, or is spread over models", {"own", "proportional"},
              "own"),
       choice("credits", "credits stay apart, or follow what they correct", {"own", "follow"},
              "own"),
       shared_key(),
       leaf("pool_tag", KeyForm::kText, "the tag of bill lines that names a machine's pool"),
       list_of("run_id_tags", "tags of bill lines that hold a run's id",
               leaf("", KeyForm::kText, "a tag's key", "run_id")),
       leaf("flat_ratio", KeyForm::kRatio, "a change below it is no change", "0.05"),
       leaf("min_coverage", KeyForm::kRatio, "below it usage cost is a range only", "0.8"),
       leaf("efficient_sm_active", KeyForm::kRatio,
            "busy time with less SM activity is inefficient", "0.5"),
       leaf("idle_after", KeyForm::kDuration, "held and not busy for so long is idle-held", "15m"),
       leaf("silence", KeyForm::kDuration,
            "a gap in a run's record that is longer splits it; by default 15m, or ten times the "
            "interval between its signs"),
       leaf("maturity_days", KeyForm::kCount, "labels younger than this may still change", "0")});
}

std::vector<Key> keys_of_later_versions() {
  return {
      later(names_of("quality", "quality budgets by model",
                     map_of("<model>", "",
                            {needed(leaf("metric", KeyForm::kText, "what is measured", "recall")),
                             leaf("budget", KeyForm::kRatio, "the loss that is agreed", "0.005"),
                             names_of("slices", "slices that are judged on their own",
                                      list_of("<class>", "columns of the slices",
                                              leaf("", KeyForm::kText, "a column")))}))),
      later(list_of(
          "assumptions", "what must hold, checked by tare check",
          map_of("", "",
                 {needed(leaf("check", KeyForm::kText, "what is checked", "attribution_coverage")),
                  leaf("model", KeyForm::kText, "for one model only"),
                  leaf("at_least", KeyForm::kDecimal, "the least value", "0.95"),
                  leaf("at_most", KeyForm::kDecimal, "the largest value"),
                  leaf("within", KeyForm::kDuration, "how fresh it must be", "30d"),
                  leaf("respond", KeyForm::kText, "what to do when it is broken")}))),
      later(leaf("engine", KeyForm::kAnything, "where large tables are computed")),
  };
}

Key build_project_keys() {
  std::vector<Key> keys = {
      needed(leaf("project", KeyForm::kText, "the project's name", "acme")),
      needed(leaf("currency", KeyForm::kCurrency, "the currency of reports", "USD")),
      leaf("time_zone", KeyForm::kZone, "of the edges of days in tables by day; never of a month",
           "UTC"),
      choice("basis", "the cost that unit costs take", basis_words(), "effective"),
      sources_key(),
      models_key(),
      identity_key(),
      shares_key(),
      policy_key(),
      names_of("pools", "the team that owns each pool of machines, commitment or reservation",
               either("<pool>", "the team", leaf("", KeyForm::kText, "the team"),
                      map_of("", "", {needed(leaf("team", KeyForm::kText, "the team"))}))),
      names_of("shapes", "instance types that the built-in table lacks or has wrong",
               map_of("<instance type>", "",
                      {needed(leaf("devices", KeyForm::kCount, "accelerators; 0 for none", "8")),
                       leaf("cpus", KeyForm::kCount, "CPUs"),
                       leaf("device_model", KeyForm::kText, "the accelerator's name")})),
  };
  for (Key& key : keys_of_later_versions()) keys.push_back(std::move(key));
  return map_of("", "", std::move(keys));
}

}  // namespace

const Key& project_keys() {
  static const Key keys = build_project_keys();
  return keys;
}

std::string form_text(const Key& key) {
  switch (key.form) {
    case KeyForm::kMap:
    case KeyForm::kNames:
      return "a map of keys";
    case KeyForm::kList:
      return "a list";
    case KeyForm::kEither:
      return form_text(key.keys[0]) + " or a map of keys";
    case KeyForm::kText:
      return "a text";
    case KeyForm::kGlob:
      return "a text or a pattern with * and ?";
    case KeyForm::kChoice: {
      std::string text;
      for (const std::string& value : key.values) text += (text.empty() ? "" : ", ") + value;
      return (key.values.size() > 1 ? "one of " : "") + text;
    }
    case KeyForm::kFlag:
      return "true or false";
    case KeyForm::kCount:
      return "a whole number of zero or more";
    case KeyForm::kRatio:
      return "a decimal from 0 to 1";
    case KeyForm::kDecimal:
      return "a decimal";
    case KeyForm::kFraction:
      return "a fraction from 0 to 1, such as 0.5 or 1/3";
    case KeyForm::kDuration:
      return "a duration such as 6h, 15m or 1d12h";
    case KeyForm::kCurrency:
      return "a currency code of ISO 4217 such as USD";
    case KeyForm::kZone:
      return "UTC or an offset such as +02:00";
    case KeyForm::kTagMatch:
      return "key=value-pattern";
    case KeyForm::kAnything:
      break;
  }
  return "anything";
}

}  // namespace tare::sources
