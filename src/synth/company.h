// What every made world has in common: its models and teams, the machines on sale with their list
// prices, and the ways in which runs share a device. Tables only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace tare::synth {

struct CompanyModel {
  std::string_view name, team, outcome;
};
inline constexpr size_t kModels = 10;
inline constexpr size_t kCommonModels = 8;  // the first ones: those of ordinary runs
inline constexpr size_t kStaleModel = 8;    // retrained on rows that do not change, where planted
inline constexpr size_t kUnnamedModel = 9;  // of runs whose record names no model
std::span<const CompanyModel> company_models();

enum class Stage : uint8_t { kTraining, kEvaluation, kFeatures, kServing, kBatch, kCount };
std::string_view stage_name(Stage stage);

enum class Seller : uint8_t { kAws, kGcp, kCount };
struct SellerNames {
  std::string_view provider, issuer, billing_account, invoice_prefix, compute, region;
};
const SellerNames& names_of(Seller seller);

// A machine on sale. The list price is in millionths of the currency an hour, a multiple of 1,000.
struct Shape {
  std::string_view instance_type, sku, device_model;
  Seller seller;
  int32_t devices, cpus;  // devices 0: a node without accelerators
  int64_t list_micros;
};
enum class ShapeId : uint8_t { kG5, kG5x4, kP4d, kP5, kP3x4, kA2x1, kA2x2, kM6i, kC6i, kCount };
const Shape& shape_of(ShapeId id);

// How the runs of one slot share what they hold: declared parts of `whole`, 0 where a holder
// declares none and takes an equal share of what is left. No pattern leaves idle time whose
// remainder ties with a holder's, with or without its last holder.
struct SharePattern {
  std::array<uint8_t, 4> parts;
  uint8_t holders;
  uint8_t whole;
};
std::span<const SharePattern> sevenths();      // slices of one device
std::span<const SharePattern> equal_shares();  // undeclared ones; sums above the whole
std::span<const SharePattern> decimals();      // of devices whose neighbours change hands at will
std::span<const SharePattern> cpu_requests();  // of a node with 32 CPUs

}  // namespace tare::synth
