// How two catalogs differ, so that a load which changes nothing writes nothing.
#pragma once

#include "store/store.h"

namespace tare::cli {

enum class Difference : uint8_t {
  kNone,
  kTimes,  // only the times of inputs, whose bytes are the same
  kContent,
};

// The generation is left out: it counts differences.
Difference difference_of(const store::Catalog& before, const store::Catalog& next);

}  // namespace tare::cli
