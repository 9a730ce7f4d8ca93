// One resource's devices and who shares them: holds to pieces of time with constant holders (R25,
// R26, R30-R32).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/findings.h"
#include "timeline/timeline.h"

namespace tare::timeline {

// A hold with its names resolved.
struct CanonicalHold {
  int32_t attempt = 0;
  std::optional<std::string> device;
  std::optional<int64_t> count;
  Span span;
  std::optional<Fraction> weight, cpus;
  bool every_device() const { return !device && !count; }
};

// The devices of a resource by name; index = position.
struct DeviceSet {
  store::DeviceClass device_class = store::DeviceClass::kAccelerator;
  std::vector<std::string> names;
  int32_t index_of(const std::string& name) const;  // -1: not one of the scheme that counts
};

struct KnownDevices {
  std::optional<int64_t> sku, inventory;  // counts that the bill and the resources file say
  std::vector<std::string> seen;          // names in telemetry
};
DeviceSet device_set(const std::string& resource_id, const KnownDevices& known,
                     const std::vector<CanonicalHold>& holds, Findings* findings);

// A device's holders within a piece: integer weights; attempt -1 is idle and comes first.
struct Share {
  int32_t attempt = 0;
  uint128 weight = 0;
};
using DeviceShares = std::vector<Share>;  // empty: nobody holds the device

struct Piece {
  Span span;
  // Attempts that hold whole devices, and how many.
  struct Whole {
    int32_t attempt;
    int32_t devices;
  };
  // `devices` devices shared alike.
  struct Shared {
    int32_t devices;
    DeviceShares shares;
  };
  std::vector<Whole> whole;
  std::vector<Shared> shared;
};

struct PieceContext {
  const std::string* resource_id = nullptr;
  const DeviceSet* devices = nullptr;
  std::optional<Fraction> node_cpus;
  const std::vector<Attempt>* attempts = nullptr;
  const std::vector<int32_t>* parents =
      nullptr;  // attempt -> some attempt of its parent run, or -1
  Findings* findings = nullptr;
};
// Called with each piece's span and every device's shares, before they are packed. May be empty.
using DeviceVisitor = std::function<void(Span, const std::vector<DeviceShares>&)>;

std::vector<Piece> make_pieces(const PieceContext& context, const std::vector<CanonicalHold>& holds,
                               const DeviceVisitor& visit);

// Adds what each attempt holds in `span` of the piece; idle is not listed.
void add_held(const Piece& piece, int64_t length_ns, std::vector<HeldTime>* out);

}  // namespace tare::timeline
