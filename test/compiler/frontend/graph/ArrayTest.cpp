// Tests arrays: literals, types, shapes, printing.
#include "../Errors.h"

#include <iomanip>
#include <sstream>

using namespace tg;

namespace {
std::string print(const Array &array) {
  std::ostringstream text;
  text << array;
  return text.str();
}

TEST(Array, takesLiterals) {
  EXPECT_EQ(print(Array(5)), "5");
  EXPECT_EQ(print(Array({1, 2, 3})), "[1 2 3]");
  EXPECT_EQ(print(Array({{1.5, 2}, {3, 4}})), "[[1.5 2] [3 4]]");
  EXPECT_EQ(print(Array({true, false})), "[true false]");
  EXPECT_EQ(Array({{1, 2, 3}}).shape(), (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(Array(7).dtype(), i32);
  EXPECT_EQ(Array(7.0).dtype(), f32);
  EXPECT_EQ(Array({1, 2.5}).dtype(), f32);
  EXPECT_EQ(Array(7, f64).dtype(), f64);
  EXPECT_EQ(print(Array(2147483647)), "2147483647");
  EXPECT_EQ(print(Array()), "none");
  EXPECT_EQ(print(Array({0.1, 1e-7, 16777216.0})), "[0.1 1e-07 16777216]");
  EXPECT_EQ(print(Array(std::vector<int8_t>{-1, 65}, {1, 2})), "[[-1 65]]");
  EXPECT_EQ(print(Array(std::vector<float>(), {2, 0})), "[[] []]");
  EXPECT_EQ(print(Array(std::vector<int>(101, 7), {101})), "[7 7 7 ... 7 7 7]");
}

/// Returns the text of an array on a stream with a manipulator.
template <typename... Manipulators>
std::string printWith(const Array &array, Manipulators... manipulators) {
  std::ostringstream text;
  (text << ... << manipulators) << array;
  return text.str();
}

TEST(Array, isPrintedWithThePrecisionOfTheStream) {
  const Array array({{2.0 / 3, 1234.5}, {0, -1e-7}});
  const std::string shortest = "[[0.6666667 1234.5] [0 -1e-07]]";
  EXPECT_EQ(print(array), shortest);
  EXPECT_EQ(printWith(array, std::setprecision(6)), shortest); // the default
  EXPECT_EQ(printWith(array, std::setprecision(3)),
            "[[0.667 1.23e+03] [0 -1e-07]]");
  EXPECT_EQ(printWith(array, std::fixed, std::setprecision(2)),
            "[[0.67 1234.50] [0.00 -0.00]]");
  EXPECT_EQ(printWith(array, std::fixed),
            "[[0.666667 1234.500000] [0.000000 -0.000000]]");
  EXPECT_EQ(printWith(array, std::scientific, std::setprecision(1)),
            "[[6.7e-01 1.2e+03] [0.0e+00 -1.0e-07]]");
  EXPECT_EQ(printWith(array, std::fixed, std::setprecision(0)),
            "[[1 1234] [0 -0]]");
  // All digits of the smallest and of the greatest number.
  const Array ends({5e-324, -1.7976931348623157e308}, f64);
  const std::string all = printWith(ends, std::fixed, std::setprecision(5000));
  EXPECT_EQ(all.size(), (2 + 1074) + 1 + (1 + 309 + 1 + 1074) + 2u);
  EXPECT_TRUE(all.ends_with("000]"));
  // Integers and booleans have no decimals.
  EXPECT_EQ(printWith(Array({1, -2}), std::fixed, std::setprecision(1)),
            "[1 -2]");
  EXPECT_EQ(printWith(Array({true}), std::setprecision(1)), "[true]");
}

TEST(Array, givesItsElements) {
  Array array(std::vector<int16_t>{1, -2, 3, 4, 5, 6}, {2, 3});
  EXPECT_TRUE(array.isDefined());
  EXPECT_EQ(array.rank(), 2);
  EXPECT_EQ(array.size(), 6u);
  EXPECT_EQ(array.byteCount(), 12u);
  EXPECT_EQ(array.values<int16_t>()[1], -2);
  EXPECT_EQ(array.to<double>(), (std::vector<double>{1, -2, 3, 4, 5, 6}));
  EXPECT_EQ(array.at(5), 6);
  EXPECT_EQ(Array(3).scalar(), 3);
  EXPECT_EQ(static_cast<const int16_t *>(array.data())[2], 3);
}

static_assert(ElementNumber<uint8_t> && ElementNumber<bool>);
static_assert(dtypeOf<uint8_t>() == u8 && dtypeOf<bool>() == boolean &&
              dtypeOf<long long>() == i64 && dtypeOf<double>() == f64);
static_assert(!ElementNumber<uint16_t> && !ElementNumber<uint32_t> &&
              !ElementNumber<size_t> && !ElementNumber<long double>);

// Expects an error at the line of the statement; unlike EXPECT_ERROR it does
// not check the file name, which the other error tests cover.
#define EXPECT_MISTAKE(statement, part)                                        \
  try {                                                                        \
    (void)(statement);                                                         \
    ADD_FAILURE() << "expected an error";                                      \
  } catch (const GraphError &error) {                                          \
    EXPECT_EQ(error.line, unsigned(__LINE__)) << error.what();                 \
    EXPECT_NE(error.message.find(part), std::string::npos) << error.what();    \
  }

TEST(Array, saysWhatDoesNotFit) {
  EXPECT_MISTAKE(Array({{1, 2}, {3}}), "lists of one length");
  EXPECT_MISTAKE(Array({1, 2.5}, i32), "that i32 holds, found 2.5");
  EXPECT_MISTAKE(Array(300, u8), "that u8 holds, found 300");
  const int64_t most = int64_t(1) << 53;
  EXPECT_EQ(Array(most, i64).values<int64_t>()[0], most);
  EXPECT_MISTAKE(Array(most + 1, i64),
                 "expected a number that a double holds exactly, found "
                 "9007199254740993");
  EXPECT_MISTAKE(Array(INT64_MAX, i64), "found 9223372036854775807");
  EXPECT_MISTAKE(Array(UINT64_MAX, i64), "found 18446744073709551615");
  EXPECT_MISTAKE(Array({1, 2}).scalar(), "one element, found 2");
  EXPECT_MISTAKE(Array({1, 2}).at(2), "below 2, found 2");
  Array numbers(f32, {2});
  EXPECT_MISTAKE(numbers.set(2, 1), "below 2, found 2");
  EXPECT_MISTAKE(Array().set(0, 1), "below 0, found 0");
  EXPECT_MISTAKE(Array().scalar(), "one element, found 0");
  EXPECT_MISTAKE(Array({1, 2}).values<float>(), "type f32, found i32");
  EXPECT_MISTAKE(Array(std::vector<float>{1, 2}, {3}), "12 bytes");
  EXPECT_MISTAKE(Array(f32, {2, -3}), "extents of at least 0 in the shape of");
  EXPECT_MISTAKE(Array(std::vector<float>{}, {-1}), "array, found -1");
}
} // namespace
