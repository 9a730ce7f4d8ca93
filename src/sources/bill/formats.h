// The bill formats, one a file of this folder; registry.cc lists them.
#pragma once

#include "sources/bill/format.h"

namespace tare::sources {

extern const BillFormat kFocusFormat;
extern const BillFormat kPlainBillFormat;

}  // namespace tare::sources
