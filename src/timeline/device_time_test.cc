#include "timeline/device_time.h"

#include <gtest/gtest.h>

namespace tare::timeline {
namespace {

TEST(DeviceTime, UnitsAreAnExactList) {
  for (const char* unit :
       {"Hour", "Hours", "hrs", "Hrs", "HOURS", "Second", "Seconds", "minutes"}) {
    EXPECT_EQ(unit_word(unit).kind, TimeKind::kNodeTime) << unit;
  }
  for (const char* unit : {"GPU-Hours", "gpu hours", "Device-Hours"}) {
    EXPECT_EQ(unit_word(unit).kind, TimeKind::kDeviceTime) << unit;
  }
  for (const char* unit : {"vCPU-Hours", "Core-Seconds", "core hours"}) {
    EXPECT_EQ(unit_word(unit).kind, TimeKind::kCoreTime) << unit;
  }
  for (const char* unit :
       {"OCPU Hours", "GB-Hours", "Units/Hour", "LCU-Hours", "Requests", "", "Hour ", "1 Hour"}) {
    EXPECT_EQ(unit_word(unit).kind, TimeKind::kNone) << unit;
  }
  EXPECT_EQ(unit_word("Hrs").unit_ns, kNsPerHour);
  EXPECT_EQ(unit_word("GPU-Seconds").unit_ns, kNsPerSecond);
}

BillDim dim(const std::map<DimColumn, std::string>& texts) {
  BillDim made;
  for (const auto& [column, text] : texts) made.text[static_cast<size_t>(column)] = text;
  return made;
}

TEST(DeviceTime, ReadsTheCountOfASku) {
  Project project;
  InstanceTypes types(project);
  DimSigns signs = read_signs(
      dim({{DimColumn::kChargeCategory, "Usage"},
           {DimColumn::kConsumedUnit, "Hours"},
           {DimColumn::kSkuPriceDetails, R"({"InstanceType":"p4d.24xlarge","GpuCount":8})"}}),
      types);
  EXPECT_TRUE(signs.names_instance);
  EXPECT_EQ(signs.devices, 8);
  EXPECT_EQ(signs.cpus, 96);
  signs = read_signs(
      dim({{DimColumn::kChargeCategory, "Usage"},
           {DimColumn::kChargeDescription, "$5.67 per On Demand Linux g5.12xlarge Instance Hour"}}),
      types);
  EXPECT_TRUE(signs.names_instance);
  EXPECT_EQ(signs.devices, 4);
  signs =
      read_signs(dim({{DimColumn::kSkuPriceDetails, R"({"InstanceType":"m5.4xlarge"})"}}), types);
  EXPECT_EQ(signs.devices, 0);
}

TEST(DeviceTime, ChargesBesideTheMachineAreNotIt) {
  Project project;
  InstanceTypes types(project);
  for (const char* words : {"Windows licence for p4d.24xlarge, per hour", "gp3 volume throughput",
                            "Public IPv4 address", "Provisioned IOPS", "NAT Gateway Hours"}) {
    DimSigns signs = read_signs(dim({{DimColumn::kChargeCategory, "Usage"},
                                     {DimColumn::kConsumedUnit, "Hours"},
                                     {DimColumn::kServiceCategory, "Compute"},
                                     {DimColumn::kChargeDescription, words}}),
                                types);
    EXPECT_FALSE(signs.names_instance) << words;
    EXPECT_FALSE(signs.instance_like) << words;
  }
}

TEST(DeviceTime, TheProjectsShapesOverride) {
  Project project;
  project.shapes.push_back({"p4d.24xlarge", 4, 48, ""});
  project.shapes.push_back({"rack-7", 2, 0, ""});
  InstanceTypes types(project);
  EXPECT_EQ(types.find("p4d.24xlarge")->devices, 4);
  EXPECT_EQ(types.find("ml.g5.12xlarge")->devices, 4);
  EXPECT_EQ(types.find_in("BoxUsage:rack-7")->devices, 2);
  EXPECT_FALSE(types.find("nothing").has_value());
}

}  // namespace
}  // namespace tare::timeline
