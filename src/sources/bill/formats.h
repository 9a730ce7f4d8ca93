// The bill formats, one a file of this folder; registry.cc lists them.
#pragma once

#include "sources/bill/format.h"

namespace tare::sources {

extern const BillFormat kAwsCurFormat;
extern const BillFormat kAwsCur2Format;
extern const BillFormat kAzureActualFormat;
extern const BillFormat kAzureAmortizedFormat;
extern const BillFormat kFocusFormat;
extern const BillFormat kGcpDetailedFormat;
extern const BillFormat kOciFormat;
extern const BillFormat kPlainBillFormat;

}  // namespace tare::sources
