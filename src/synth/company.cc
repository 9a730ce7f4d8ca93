#include "synth/company.h"

namespace tare::synth {
namespace {

constexpr auto kModelTable = std::to_array<CompanyModel>({
    {"ads", "revenue", "clicks"},
    {"chat", "assist", "resolved"},
    {"churn", "growth", "kept"},
    {"forecast", "supply", "orders"},
    {"fraud", "risk", "cases_caught"},
    {"reco", "growth", "clicks"},
    {"search", "revenue", "clicks"},
    {"vision", "assist", "labels"},
    {"stale", "assist", "labels"},
    {"unnamed", "", ""},
});
static_assert(kModelTable.size() == kModels);

constexpr std::array<SellerNames, 2> kSellers = {{
    {"AWS", "Amazon Web Services, Inc.", "004815372906", "AWS-", "Amazon Elastic Compute Cloud",
     "us-east-1"},
    {"Google Cloud", "Google LLC", "01A2B3-C4D5E6-F70819", "GCP-", "Compute Engine",
     "europe-west4"},
}};

constexpr std::array<Shape, static_cast<size_t>(ShapeId::kCount)> kShapes = {{
    {"g5.xlarge", "9ZZK4P2WB1", "NVIDIA A10G", Seller::kAws, 1, 4, 1'006'000},
    {"g5.12xlarge", "C2BF42DE59", "NVIDIA A10G", Seller::kAws, 4, 48, 5'672'000},
    {"p4d.24xlarge", "9EDF81C23C", "NVIDIA A100-SXM4-40GB", Seller::kAws, 8, 96, 21'957'000},
    {"p5.48xlarge", "7H2QX0M5TD", "NVIDIA H100", Seller::kAws, 8, 192, 55'040'000},
    {"p3.8xlarge", "5WQ8R1N3KC", "Tesla V100-SXM2-16GB", Seller::kAws, 4, 32, 12'240'000},
    {"a2-highgpu-1g", "1B2C-77A0-1G", "NVIDIA A100-SXM4-40GB", Seller::kGcp, 1, 12, 3'673'000},
    {"a2-highgpu-2g", "1B2C-77A0-2G", "NVIDIA A100-SXM4-40GB", Seller::kGcp, 2, 24, 7'347'000},
    {"m6i.8xlarge", "4D7RZN0V6P", "", Seller::kAws, 0, 32, 1'536'000},
    {"c6i.16xlarge", "8Y6BNE2M4K", "", Seller::kAws, 0, 64, 2'720'000},
}};

constexpr auto kSevenths = std::to_array<SharePattern>({
    {{3}, 1, 7},
    {{1, 2}, 2, 7},
    {{1, 1}, 2, 7},
    {{1, 1, 1}, 3, 7},
    {{1, 1, 2}, 3, 7},
    {{1, 2, 4}, 3, 7},
});
constexpr auto kEqualShares = std::to_array<SharePattern>({
    {{0}, 1, 1},
    {{0, 0}, 2, 1},
    {{0, 0, 0}, 3, 1},
    {{0, 0, 2}, 3, 4},
    {{3, 3}, 2, 4},
    {{3, 3, 2}, 3, 4},
});
constexpr auto kDecimals = std::to_array<SharePattern>({
    {{5}, 1, 10},
    {{5, 2}, 2, 10},
    {{8, 8}, 2, 10},
    {{1, 2, 3}, 3, 10},
});
constexpr auto kCpuRequests = std::to_array<SharePattern>({
    {{16}, 1, 32},
    {{16, 8}, 2, 32},
    {{24, 24}, 2, 32},
    {{8, 8, 4}, 3, 32},
    {{24, 24, 16}, 3, 32},
    {{8, 4, 4, 8}, 4, 32},
    {{0, 0, 0}, 3, 32},
});

}  // namespace

std::span<const CompanyModel> company_models() { return kModelTable; }

std::string_view stage_name(Stage stage) {
  constexpr std::array<std::string_view, static_cast<size_t>(Stage::kCount)> kNames = {
      "training", "evaluation", "features", "serving", "batch"};
  return kNames[static_cast<size_t>(stage)];
}

const SellerNames& names_of(Seller seller) { return kSellers[static_cast<size_t>(seller)]; }
const Shape& shape_of(ShapeId id) { return kShapes[static_cast<size_t>(id)]; }
std::span<const SharePattern> sevenths() { return kSevenths; }
std::span<const SharePattern> equal_shares() { return kEqualShares; }
std::span<const SharePattern> decimals() { return kDecimals; }
std::span<const SharePattern> cpu_requests() { return kCpuRequests; }

}  // namespace tare::synth
