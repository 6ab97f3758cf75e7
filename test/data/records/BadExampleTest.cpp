/// Malformed records of the type tf.train.Example, and those with other values
/// than declared.
#include "ExampleRecords.h"

using namespace tg::data;

namespace {
class BadExampleTest : public ExampleTest {};
} // namespace

TEST_F(BadExampleTest, refusesMalformedMessages) {
  const std::string end = "expected the end of a number, found the end of the "
                          "message";
  EXPECT_EQ(refusal("\xff", anyFloats), end);
  EXPECT_EQ(refusal(std::string(11, '\xff'), anyFloats),
            "expected a number of at most 10 bytes, found a longer one");
  EXPECT_EQ(refusal("\x0a\x05", anyFloats),
            "expected 5 bytes of field 1, found 0 to the end of the message");
  // A length of 2^32 + 1, whose low bits are 1.
  EXPECT_EQ(refusal("\x0a\x81\x80\x80\x80\x10!", anyFloats),
            "expected 4294967297 bytes of field 1, found 1 to the end of the "
            "message");
  EXPECT_EQ(refusal(std::string("\0\0", 2), anyFloats),
            "expected a field from 1 to 536870911, found 0");
  EXPECT_EQ(refusal("\x8a\x80\x80\x80\x10\x01!", anyFloats),
            "expected a field from 1 to 536870911, found 536870913");
  for (const char *group : {"\x0b", "\x0c", "\x7b\x7c", "\x7c"})
    EXPECT_NE(refusal(group, anyFloats)
                  .find("expected a wire type of 0, 1, 2 or 5 for field "),
              std::string::npos);
  EXPECT_NE(refusal("\x0e", anyFloats).find("found wire type 6"),
            std::string::npos);
  EXPECT_EQ(refusal("\x0d" + one, anyFloats),
            "expected wire type 2 for field 1, features, found wire type 5");
  EXPECT_EQ(refusal(field(1, "\x08\x01"), anyFloats),
            "expected wire type 2 for field 1, feature, found wire type 0");
  EXPECT_EQ(refusal(field(1, field(1, "\x08\x01")), anyFloats),
            "expected wire type 2 for field 1, the name of a feature, found "
            "wire type 0");
  EXPECT_EQ(refusal(field(1, field(1, field(1, "a") + "\x10\x01")), anyFloats),
            "expected wire type 2 for field 2, the value of a feature, found "
            "wire type 0");
  EXPECT_EQ(
      refusal(field(1, field(1, field(1, "a") + field(2, "") + field(2, ""))),
              anyFloats),
      "expected one value in the entry of a feature, found another");
  for (const std::string &name : {field(1, ""), std::string()})
    EXPECT_EQ(refusal(field(1, field(1, name + field(2, ""))), anyFloats),
              "expected a name of each feature, found an empty one");
}

TEST_F(BadExampleTest, refusesNamesThatAreNotUtf8) {
  const auto refusalOf = [&](const std::string &name) {
    return errorOf([&] { readExample(record(field(1, entry(name, "")))); });
  };
  EXPECT_EQ(refusalOf("ab\xff"), "expected names of features in UTF-8, found "
                                 "byte 255 at 2 of a name");
  for (const char *name :
       {"\x80", "\xc3", "\xc3(", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
        "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80",
        "\xe2\x82", "\xf0\x9f\x98"})
    EXPECT_NE(refusalOf(name), "") << name;
  for (const char *name : {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                           "\x7f", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(refusalOf(name), "") << name;
}

TEST_F(BadExampleTest, refusesMalformedValues) {
  const std::string a = "feature 'a': ";
  EXPECT_EQ(refusal(example("\x10\x01"), anyFloats),
            a + "expected wire type 2 for field 2, float_list, found wire type "
                "0");
  EXPECT_EQ(refusal(example(field(2, "\x08\x01")), anyFloats),
            a + "expected wire type 2 or 5 for field 1, the value of a "
                "float_list, found wire type 0");
  EXPECT_EQ(refusal(example(field(2, "\x09" + one + two)), anyFloats),
            a + "expected wire type 2 or 5 for field 1, the value of a "
                "float_list, found wire type 1");
  EXPECT_EQ(refusal(example(field(2, field(1, "12345"))), anyFloats),
            a + "expected floats of 4 bytes, found 5 bytes");
  EXPECT_EQ(refusal(example(field(3, "\x0d" + one)), anyIntegers),
            a + "expected wire type 0 or 2 for field 1, the value of an "
                "int64_list, found wire type 5");
  EXPECT_EQ(refusal(example(field(3, field(1, "\x05\xff"))), anyIntegers),
            a + "expected the end of a number, found the end of the message");
  EXPECT_EQ(refusal(example(field(3, field(1, std::string(10, '\xff') + "\1"))),
                    anyIntegers),
            a + "expected a number of at most 10 bytes, found a longer one");
  EXPECT_EQ(refusal(example(field(1, "\x08\x01")), anyBytes),
            a + "expected wire type 2 for field 1, the value of a bytes_list, "
                "found wire type 0");
}

TEST_F(BadExampleTest, refusesValuesThatWereNotDeclared) {
  const std::string a = "feature 'a': ";
  const std::string floatsText = example(field(2, field(1, one + two + two)));
  const std::string bytesText = example(field(1, field(1, "12345")));
  EXPECT_EQ(refusal(field(1, ""), anyFloats),
            a + "expected a value in the record, found none");
  EXPECT_EQ(refusal("", anyFloats),
            a + "expected a value in the record, found none");
  EXPECT_EQ(refusal(example(""), anyFloats),
            a + "expected float_list, found none");
  EXPECT_EQ(refusal(bytesText, anyFloats),
            a + "expected float_list, found bytes_list");
  EXPECT_EQ(refusal(floatsText, anyBytes),
            a + "expected bytes_list, found float_list");
  EXPECT_EQ(refusal(floatsText, {"a", floats, f32, {2}}),
            a + "expected values of f32 [2], found 3");
  EXPECT_EQ(refusal(floatsText, {"a", floats, f32, {2, any}}),
            a + "expected values of f32 [2, ?], found 3");
  EXPECT_EQ(refusal(floatsText, {"a", floats, f32, {0, any}}),
            a + "expected values of f32 [0, ?], found 3");
  EXPECT_EQ(refusal(floatsText, {"a", floats, f32, {1ll << 62, 4, 3}}),
            a + "expected values of f32 [4611686018427387904, 4, 3], found 3");
  EXPECT_EQ(refusal(bytesText, {"a", bytes, i32, {any}, true}),
            a + "expected elements of i32 [?], found 5 bytes");
  EXPECT_EQ(refusal(bytesText, {"a", bytes, ui8, {4}, true}),
            a + "expected values of ui8 [4], found 5");
  EXPECT_EQ(refusal(bytesText, {"a", bytes, i1, {5}, true}),
            a + "expected values of i1 [5], 0 to 1, found 49");
  for (int count : {0, 2})
    EXPECT_EQ(refusal(example(field(1, count ? field(1, "") + field(1, "")
                                             : std::string())),
                      anyBytes),
              a + "expected one byte string, found " + std::to_string(count));
}

TEST_F(BadExampleTest, refusesIntegersOutsideOfTheType) {
  const auto refusalOf = [&](int64_t value, tg_dtype_t dtype) {
    return refusal(
        writeExample({{"a", int64s, 1, array<int64_t>(i64, {1}, {value})}}),
        {"a", int64s, dtype, {1}});
  };
  EXPECT_EQ(refusalOf(128, i8), "feature 'a': expected values of i8 [1], "
                                "-128 to 127, found 128");
  EXPECT_EQ(refusalOf(-128, i8), "");
  EXPECT_NE(refusalOf(-1, ui8), "");
  EXPECT_NE(refusalOf(256, ui8), "");
  EXPECT_EQ(refusalOf(255, ui8), "");
  EXPECT_NE(refusalOf(2, i1), "");
  EXPECT_NE(refusalOf(40000, i16), "");
  EXPECT_NE(refusalOf(1ll << 31, i32), "");
  EXPECT_EQ(refusalOf(INT64_MIN, i64), "");
}

TEST_F(BadExampleTest, refusesDeclarationsThatCannotBe) {
  const auto refusalOf = [&](std::vector<ExampleFeature> features) {
    return errorOf([&] { ExampleParser(std::move(features)); });
  };
  EXPECT_EQ(refusalOf({{"", floats, f32, {}}}),
            "feature '': expected a name, found an empty one");
  EXPECT_EQ(refusalOf({anyFloats, anyBytes}),
            "feature 'a': expected different names, found it twice");
  EXPECT_EQ(refusalOf({{"a", floats, i32, {}}}),
            "feature 'a': expected a type of the elements of float_list, "
            "found i32");
  EXPECT_NE(refusalOf({{"a", bytes, f32, {}}}), "");
  EXPECT_NE(refusalOf({{"a", int64s, f32, {}}}), "");
  EXPECT_NE(refusalOf({{"a", floats, {TG_DTYPE_FLOAT, 32, 4}, {}}}), "");
  EXPECT_EQ(refusalOf({{"a", floats, f32, {}, true}}),
            "feature 'a': expected bytes_list for raw bytes, found "
            "float_list");
  EXPECT_EQ(refusalOf({{"a", floats, f32, {any, any}}}),
            "feature 'a': expected at most one extent that differs, found "
            "f32 [?, ?]");
  EXPECT_EQ(refusalOf({{"a", floats, f32, {-2}}}),
            "feature 'a': expected extents of at least 0, found -2");
}

TEST_F(BadExampleTest, refusesValuesThatCannotBeWritten) {
  const auto refusalOf = [&](std::vector<ExampleValue> values) {
    return errorOf([&] { writeExample(values); });
  };
  EXPECT_EQ(refusalOf({{"a", floats, 1, array<double>(f64, {1}, {1})}}),
            "feature 'a': expected f32 for float_list, found f64");
  EXPECT_EQ(refusalOf({{"a", int64s, 1, array<double>(f64, {1}, {1})}}),
            "feature 'a': expected integers for int64_list, found f64");
  EXPECT_EQ(refusalOf({{"a", {}}, {"b", {}}, {"a", {}}}),
            "feature 'a': expected different names, found it twice");
  EXPECT_EQ(refusalOf({{"", {}}}),
            "feature '': expected different names, found an empty one");
}

TEST_F(BadExampleTest, readsOrRefusesEachChangedByte) {
  const std::string whole =
      writeExample({{"a", floats, 2, array<float>(f32, {2}, {1, 2})},
                    {"b", bytes, 1, {}, {"hi"}},
                    {"n", int64s, 2, array<int64_t>(i64, {2}, {1, 300})}});
  const std::vector<ExampleFeature> features = {
      {"a", floats, f32, {2}}, {"b", bytes, ui8, {2}}, {"n", int64s, i64, {2}}};
  int refused = 0;
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(errorOf([&] { parse(whole.substr(0, size), features); }), "");
  for (size_t at = 0; at < whole.size(); ++at)
    for (int value = 0; value < 256; ++value) {
      std::string changed = whole;
      changed[at] = static_cast<char>(value);
      refused += !errorOf([&] { parse(changed, features); }).empty();
    }
  EXPECT_GT(refused, 5000);
}
