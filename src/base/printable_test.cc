#include "base/printable.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tare {
namespace {

TEST(Printable, KeepsTextAndEscapesTheRest) {
  EXPECT_EQ(printable("plain größe 模型 🚀"), "plain größe 模型 🚀");
  EXPECT_EQ(printable("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(printable("a\nb\tc\r\x7f"), "a\\x0ab\\x09c\\x0d\\x7f");
  EXPECT_EQ(printable(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");           // C1: a control sequence begins
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae");  // right-to-left override
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\xe2\\x80\\xa8");  // line separator
  EXPECT_EQ(printable("\xff"
                      "a\xc3"),
            "\\xffa\\xc3");                                          // no UTF-8
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // overlong
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // past U+10FFFF
  EXPECT_EQ(printable("\xf0\x9f\x9a"), "\\xf0\\x9f\\x9a");           // cut short
}

TEST(Printable, WidthIsInCodePoints) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("größe"), 5U);
  EXPECT_EQ(display_width("🚀"), 1U);
  EXPECT_EQ(display_width("\xff\xff"), 2U);
}

RC_GTEST_PROP(Printable, IsSafeAndStaysAsItIs, (const std::string& bytes)) {
  const std::string once = printable(bytes);
  RC_ASSERT(printable(once) == once);
  for (const char c : once) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

}  // namespace
}  // namespace tare
