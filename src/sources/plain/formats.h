// The formats of plain files, one a file of this folder; registry.cc lists them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "sources/plain/format.h"
#include "sources/plain/row.h"
#include "store/store.h"

namespace tare::sources {

extern const PlainFormat kRunsFormat;
extern const PlainFormat kRetrainDataFormat;
extern const PlainFormat kHoldsFormat;
extern const PlainFormat kReplicasFormat;
extern const PlainFormat kResourcesFormat;
extern const PlainFormat kAliasesFormat;
extern const PlainFormat kDeviceUsageFormat;
extern const PlainFormat kOutcomesFormat;
extern const PlainFormat kRequestsFormat;
extern const PlainFormat kInvoicesFormat;
extern const PlainFormat kRatesFormat;
extern const PlainFormat kRateCardFormat;

// What holds and replicas both do with their row: the check of its times, and its cells.
void write_hold(const HoldRow& row, int end_column, RowReader& in, RowWriter& out);

}  // namespace tare::sources
