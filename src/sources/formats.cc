#include "sources/formats.h"

#include <algorithm>

#include "sources/plain/format.h"

namespace tare::sources {
namespace {

const Format* find_in(const std::vector<Format>& table, std::string_view name) {
  const auto at = std::find_if(table.begin(), table.end(),
                               [&](const Format& format) { return format.name == name; });
  return at == table.end() ? nullptr : &*at;
}

}  // namespace

const std::vector<KindName>& source_kinds() {
  static const std::vector<KindName> kinds = {
      {SourceKind::kBill, "bill", "what was charged"},
      {SourceKind::kRuns, "runs", "training runs, jobs and services, and what they retrain on"},
      {SourceKind::kHolds, "holds", "who held which machine or device, and when"},
      {SourceKind::kResources, "resources", "the inventory of machines"},
      {SourceKind::kAliases, "aliases", "other names of machines and devices"},
      {SourceKind::kTelemetry, "telemetry", "how busy devices were"},
      {SourceKind::kOutcomes, "outcomes", "what models achieved, by day"},
      {SourceKind::kRequests, "requests", "what models were asked"},
      {SourceKind::kInvoices, "invoices", "totals of issued invoices"},
      {SourceKind::kRates, "rates", "exchange rates by day"},
      {SourceKind::kRateCards, "rate_cards", "prices of machines that no bill names"},
  };
  return kinds;
}

std::string_view kind_key(SourceKind kind) {
  return source_kinds().at(static_cast<size_t>(kind)).key;
}

std::optional<SourceKind> parse_kind(std::string_view key) {
  for (const KindName& name : source_kinds()) {
    if (name.key == key) return name.kind;
  }
  return std::nullopt;
}

const std::vector<Format>& formats() {
  static const std::vector<Format> table = [] {
    std::vector<Format> readable = {
        {"focus", SourceKind::kBill, "a FOCUS 1.0 to 1.4 cost and usage export"},
        {"bill", SourceKind::kBill, "a bill as a plain table of charges"},
        {"aws-cur", SourceKind::kBill, "AWS Cost and Usage Report, legacy"},
        {"aws-cur2", SourceKind::kBill, "AWS Cost and Usage Report 2.0"},
        {"gcp-detailed", SourceKind::kBill, "Google Cloud detailed usage cost export"},
        {"azure-actual", SourceKind::kBill, "Azure actual cost export"},
        {"azure-amortized", SourceKind::kBill, "Azure amortised cost export"},
        {"oci", SourceKind::kBill, "Oracle Cloud cost report"},
    };
    for (const PlainFormat* format : plain_formats()) {
      readable.push_back({format->name, format->kind, format->summary});
    }
    return readable;
  }();
  return table;
}

const std::vector<Format>& later_formats() {
  static const std::vector<Format> table = {
      {"mlflow", SourceKind::kRuns, "MLflow tracking server or store"},
      {"slurm-sacct", SourceKind::kRuns, "Slurm accounting, sacct --parsable2"},
      {"kubernetes", SourceKind::kRuns, "Kubernetes objects, kubectl get -o json"},
      {"kubernetes-prometheus", SourceKind::kRuns, "kube-state-metrics in Prometheus"},
      {"ray", SourceKind::kRuns, "Ray jobs"},
      {"sagemaker", SourceKind::kRuns, "SageMaker jobs and endpoints"},
      {"vertex", SourceKind::kRuns, "Vertex AI jobs and endpoints"},
      {"wandb", SourceKind::kRuns, "Weights & Biases runs"},
      {"dcgm", SourceKind::kTelemetry, "DCGM exporter samples in a file"},
      {"dcgm-prometheus", SourceKind::kTelemetry, "DCGM exporter in Prometheus"},
      {"nvidia-smi", SourceKind::kTelemetry, "nvidia-smi --query-gpu --format=csv"},
  };
  return table;
}

const Format* find_format(std::string_view name) { return find_in(formats(), name); }

const Format* find_later_format(std::string_view name) { return find_in(later_formats(), name); }

}  // namespace tare::sources
