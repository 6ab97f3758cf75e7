/// Records of the type tf.train.Example: decoding and encoding.
#include "ExampleRecords.h"

#include <cmath>

using namespace tg::data;

TEST_F(ExampleTest, matchesBytesWrittenByHand) {
  // In the order of names, packed.
  const std::string text =
      writeExample({{"x", floats, 2, array<float>(f32, {2}, {1, 2})},
                    {"b", bytes, 2, {}, {"hi", ""}},
                    {"n", int64s, 3,
                     array<int16_t>({TG_DTYPE_INT, 16, 1}, {3}, {1, -1, 300})},
                    {"none", std::nullopt}});
  EXPECT_EQ(text,
            field(1, entry("b", field(1, field(1, "hi") + field(1, ""))) +
                         entry("n", field(3, field(1, "\x01\xff\xff\xff\xff\xff"
                                                      "\xff\xff\xff\xff\x01"
                                                      "\xac\x02"))) +
                         entry("none", "") +
                         entry("x", field(2, field(1, one + two)))));
  EXPECT_EQ(writeExample({}), field(1, ""));
  EXPECT_EQ(writeExample({{"f", floats, 0, array<float>(f32, {0}, {})}}),
            field(1, entry("f", field(2, ""))));
}

TEST_F(ExampleTest, decodesEachType) {
  const std::string text = writeExample(
      {{"floats", floats, 4, array<float>(f32, {4}, {1, 2, 3, NAN})},
       {"integers", int64s, 3, array<int64_t>(i64, {3}, {0, 1, 100})},
       {"bits", int64s, 2, array<int64_t>(i64, {2}, {1, 0})},
       {"text", bytes, 1, {}, {"hello"}},
       rawValue("raw", array<int32_t>(i32, {2, 2}, {1, -2, 3, 4}))});
  const std::vector<Feature> read =
      parse(text, {{"raw", bytes, i32, {2, any}, true},
                   {"text", bytes, ui8, {any}},
                   {"floats", floats, f32, {2, 2}},
                   {"integers", int64s, i8, {3}},
                   {"bits", int64s, i1, {2}}});
  EXPECT_EQ(valuesOf<int32_t>(read[0]), (std::vector<int32_t>{1, -2, 3, 4}));
  EXPECT_EQ(read[0].shape(), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(RecordFilesTest::text(read[1]), "hello");
  EXPECT_EQ(read[2].shape(), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(read[2].values<float>()[2], 3);
  EXPECT_EQ(valuesOf<int8_t>(read[3]), (std::vector<int8_t>{0, 1, 100}));
  EXPECT_EQ(valuesOf<uint8_t>(read[4]), (std::vector<uint8_t>{1, 0}));
  const auto decoded = [&](tg_dtype_t dtype) {
    return parse(text, {{"integers", int64s, dtype, {any}}})[0];
  };
  EXPECT_EQ(valuesOf<int16_t>(decoded(i16)), (std::vector<int16_t>{0, 1, 100}));
  EXPECT_EQ(valuesOf<int32_t>(decoded(i32)), (std::vector<int32_t>{0, 1, 100}));
  EXPECT_EQ(valuesOf<int64_t>(decoded(i64)), (std::vector<int64_t>{0, 1, 100}));
  EXPECT_EQ(valuesOf<uint8_t>(decoded(ui8)), (std::vector<uint8_t>{0, 1, 100}));
  EXPECT_EQ(parse(text, {{"floats", floats, f64, {4}}})[0].values<double>()[1],
            2);
  // A scalar.
  EXPECT_EQ(valuesOf<int64_t>(parse(
                writeExample({{"s", int64s, 1, array<int64_t>(i64, {}, {7})}}),
                {{"s", int64s, i64, {}}})[0]),
            std::vector<int64_t>{7});
}

TEST_F(ExampleTest, describesRecords) {
  const std::vector<ExampleValue> values = readExample(
      record(writeExample({{"x", floats, 2, array<float>(f32, {2}, {1, 2})},
                           {"b", bytes, 2, {}, {"hi", ""}},
                           {"n", int64s, 1, array<int64_t>(i64, {1}, {-5})},
                           {"none", std::nullopt}})));
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[0].name, "b");
  EXPECT_EQ(values[0].strings, (std::vector<std::string>{"hi", ""}));
  EXPECT_EQ(values[1].numbers.values<int64_t>()[0], -5);
  EXPECT_FALSE(values[2].kind);
  EXPECT_EQ(values[3].kind, floats);
  EXPECT_EQ(values[3].count, 2u);
}

TEST_F(ExampleTest, acceptsAllFormsOfLists) {
  const auto read = [&](const std::string &list) {
    return valuesOf<float>(parse(example(list), {anyFloats})[0]);
  };
  const std::vector<float> both = {1, 2};
  EXPECT_EQ(read(field(2, field(1, one + two))), both);
  EXPECT_EQ(read(field(2, "\x0d" + one + "\x0d" + two)), both);
  EXPECT_EQ(read(field(2, field(1, one) + "\x0d" + two)), both);
  EXPECT_EQ(read(field(2, field(1, one)) + field(2, field(1, two))), both);
  EXPECT_TRUE(read(field(2, "")).empty());
  // A list of another kind replaces the one before it.
  EXPECT_EQ(read(field(3, field(1, "\x05")) + field(2, field(1, one + two))),
            both);
  const auto integers = [&](const std::string &list) {
    return valuesOf<int64_t>(parse(example(field(3, list)), {anyIntegers})[0]);
  };
  const std::vector<int64_t> expected = {5, 300};
  EXPECT_EQ(integers(field(1, "\x05\xac\x02")), expected);
  EXPECT_EQ(integers("\x08\x05\x08\xac\x02"), expected);
  EXPECT_EQ(integers("\x08\x05" + field(1, "\xac\x02")), expected);
  // The longest number, and one with a needless byte.
  EXPECT_EQ(integers(field(1, std::string(9, '\xff') + "\x01")),
            std::vector<int64_t>{-1});
  EXPECT_EQ(integers(field(1, std::string("\x85\0", 2))),
            std::vector<int64_t>{5});
}

TEST_F(ExampleTest, takesTheLastOfRepeatedFeatures) {
  const std::string first = entry("a", field(3, field(1, "\x01")));
  const std::string last = entry("a", field(3, field(1, "\x02\x03")));
  const std::string other = entry("b", field(3, field(1, "\x04")));
  for (const std::string &text :
       {field(1, first + other + last), field(1, first) + field(1, last)}) {
    EXPECT_EQ(valuesOf<int64_t>(parse(text, {anyIntegers})[0]),
              (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(readExample(record(text))[0].count, 2u);
  }
  // The same for the name of an entry.
  EXPECT_EQ(parse(field(1, field(1, field(1, "b") + field(1, "a") +
                                        field(2, field(3, "")))),
                  {anyIntegers})[0]
                .size(),
            0u);
}

TEST_F(ExampleTest, skipsUnknownFields) {
  const std::string unknown =
      field(15, "?") + "\x28\x05" + "\x35" + one + "\x39" + one + two;
  const std::string list = field(1, "\x05") + unknown;
  const std::string value = unknown + field(3, list) + unknown;
  const std::string text =
      unknown +
      field(1, unknown + field(1, unknown + field(1, "a") + field(2, value))) +
      unknown;
  EXPECT_EQ(valuesOf<int64_t>(parse(text, {anyIntegers})[0]),
            std::vector<int64_t>{5});
  // Features that are not listed are not looked into.
  EXPECT_EQ(parse(field(1, entry("z", "\xff") +
                               entry("a", field(3, field(1, "\x05")))),
                  {anyIntegers})
                .size(),
            1u);
}

TEST_F(ExampleTest, namesTheRecordOfAnError) {
  const std::string good = example(field(2, field(1, one)));
  const std::string bad = example(field(3, field(1, "\x05")));
  for (Compression kind : {Compression::none, Compression::gzip}) {
    const std::string file = writeRecords("f", {good, bad, good}, kind);
    const std::string message = "f: record 1 at byte 33: feature 'a': "
                                "expected float_list, found int64_list";
    const auto reader = ExampleStream({file}, {anyFloats}).open(0);
    std::vector<Feature> features;
    ASSERT_TRUE(reader->next(features));
    EXPECT_EQ(errorOf([&] { reader->next(features); }), message);
    ASSERT_TRUE(reader->next(features)); // continues after it
    EXPECT_FALSE(reader->next(features));
    if (kind != Compression::none)
      continue;
    const ExampleSource source({file}, {anyFloats});
    EXPECT_EQ(source.size(), 3u);
    EXPECT_EQ(source.read(2)[0].values<float>()[0], 1);
    EXPECT_EQ(errorOf([&] { source.read(1); }), message);
    EXPECT_EQ(source.place(1), file + ":1");
    EXPECT_EQ(source.location(1), file + ": record 1 at byte 33");
  }
}

TEST_F(ExampleTest, writesArrays) {
  const std::map<std::string, Feature> arrays = {
      {"x", array<float>(f32, {3, 2}, {1, 2, 3, 4, 5, 6})},
      {"y", array<int64_t>(i64, {3}, {7, 8, 9})}};
  for (Compression kind :
       {Compression::none, Compression::gzip, Compression::zlib}) {
    writeTFRecords(path("f"), arrays, kind);
    const auto reader =
        ExampleStream({path("f")}, {{"y", bytes, i64, {}, true},
                                    {"x", bytes, f32, {2}, true}})
            .open(0);
    std::vector<Feature> row;
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(reader->next(row));
      EXPECT_EQ(row[0].values<int64_t>()[0], 7 + i);
      EXPECT_EQ(valuesOf<float>(row[1]),
                (std::vector<float>{2.f * i + 1, 2.f * i + 2}));
    }
    EXPECT_FALSE(reader->next(row));
  }
  EXPECT_EQ(errorOf([&] { writeTFRecords(path("g"), {}); }),
            "expected arrays to write, found none");
  EXPECT_EQ(errorOf([&] {
              writeTFRecords(path("g"),
                             {{"x", arrays.at("x")},
                              {"y", array<float>(f32, {2}, {1, 2})}});
            }),
            "feature 'y': expected 3 rows, as others have, found 2");
  EXPECT_EQ(errorOf([&] {
              writeTFRecords(path("g"), {{"s", array<float>(f32, {}, {1})}});
            }),
            "feature 's': expected an array of rows, found a scalar");
  EXPECT_FALSE(std::filesystem::exists(path("g")));
}
