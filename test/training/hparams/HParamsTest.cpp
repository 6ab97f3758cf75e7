//===- HParamsTest.cpp - typed values by name, in texts and in JSON -------===//
#include "tg/training/hparams.hpp"

#include "tg/data/feature.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <stdexcept>

using namespace tg::training;

namespace {

HParams makeParams() {
  return {{"rate", 0.5},           {"size", 128},
          {"fast", false},         {"name", "adam"},
          {"filters", {32, 64}},   {"scales", {0.5, 2.0}},
          {"uses", {true, false}}, {"words", {"a", "b"}}};
}

/// Returns the message of what a function throws.
template <typename Call> std::string messageOf(Call call) {
  try {
    call();
  } catch (const std::invalid_argument &error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(HParamsTest, HaveTheTypesOfTheirDefaults) {
  const HParams params = makeParams();
  EXPECT_EQ(params.get<double>("rate"), 0.5);
  EXPECT_EQ(params.get<int64_t>("size"), 128);
  EXPECT_FALSE(params.get<bool>("fast"));
  EXPECT_EQ(params.get<std::string>("name"), "adam");
  EXPECT_EQ(params.get<std::vector<int64_t>>("filters"),
            (std::vector<int64_t>{32, 64}));
  EXPECT_EQ(params.get<std::vector<bool>>("uses"),
            (std::vector<bool>{true, false}));
  EXPECT_EQ(params.values().front().name, "rate");
}

TEST(HParamsTest, SetKeepsTypes) {
  HParams params = makeParams();
  params.set("rate", 1); // whole numbers are numbers
  params.set("scales", {1, 2, 3});
  EXPECT_EQ(params.get<double>("rate"), 1.0);
  EXPECT_EQ(params.at("scales").text(), "[1,2,3]");
  EXPECT_EQ(messageOf([&] { params.set("size", 0.5); }),
            "hyper-parameter 'size': expected a whole number, found a number, "
            "0.5");
  EXPECT_EQ(messageOf([&] { params.set("size", true); }),
            "hyper-parameter 'size': expected a whole number, found a truth "
            "value, true");
  EXPECT_EQ(
      messageOf([&] { params.set("filters", 3); }),
      "hyper-parameter 'filters': expected a list of whole numbers, found "
      "a whole number, 3");
  EXPECT_EQ(messageOf([&] { params.get<double>("size"); }),
            "hyper-parameter 'size': expected a number, found a whole number, "
            "128");
  EXPECT_EQ(messageOf([&] { params.at("rat"); }),
            "there is no hyper-parameter 'rat'; did you mean 'rate'?");
}

TEST(HParamsTest, AddRefusesWhatCannotBe) {
  HParams params = makeParams();
  EXPECT_EQ(messageOf([&] { params.add("size", 1); }),
            "expected a new hyper-parameter, found a second 'size'");
  EXPECT_EQ(messageOf([&] { params.add("2x", 1); }),
            "expected a name of a hyper-parameter, a letter and then letters, "
            "digits, '_' and '.', found '2x'");
  EXPECT_EQ(messageOf([&] {
              params.add("x", std::numeric_limits<double>::infinity());
            }),
            "hyper-parameter 'x': expected a finite number, found inf");
  EXPECT_EQ(messageOf([&] { params.add("x", std::vector<int64_t>()); }),
            "hyper-parameter 'x': expected a list of at least one element, "
            "found []");
  EXPECT_EQ(params, makeParams());
}

/// A text, and the values of all hyper-parameters after it.
struct Good {
  const char *text, *values;
};
class GoodTextTest : public testing::TestWithParam<Good> {};

TEST_P(GoodTextTest, IsParsed) {
  HParams params = makeParams();
  params.parse(GetParam().text);
  std::string values;
  for (const HParam &param : params.values())
    values += (values.empty() ? "" : " ") + param.value.text();
  EXPECT_EQ(values, GetParam().values);
  HParams again = makeParams();
  again.parseJson(params.toJson());
  EXPECT_EQ(again, params);
  EXPECT_EQ(HParams::fromJson(params.toJson()), params);
}

INSTANTIATE_TEST_SUITE_P(
    HParamsTest, GoodTextTest,
    testing::Values(
        Good{"", "0.5 128 false adam [32,64] [0.5,2] [true,false] [a,b]"},
        Good{"rate=1,size=-3,fast=1,name=",
             "1 -3 true  [32,64] [0.5,2] [true,false] [a,b]"},
        Good{"rate = 1e-3 , size = 7 ,",
             "0.001 7 false adam [32,64] [0.5,2] [true,false] [a,b]"},
        Good{"filters=[1,2],filters[1]=3",
             "0.5 128 false adam [1,3] [0.5,2] [true,false] [a,b]"},
        Good{"filters=[1],scales[0]=8,scales[ 1 ]=9",
             "0.5 128 false adam [1] [8,9] [true,false] [a,b]"},
        Good{"uses=[False, True,0],words=[x y , z],fast=true",
             "0.5 128 true adam [32,64] [0.5,2] [false,true,false] [x y,z]"},
        Good{"name=a=b", "0.5 128 false a=b [32,64] [0.5,2] [true,false] "
                         "[a,b]"}));

/// A text and its message.
struct Bad {
  const char *text, *message;
};
class BadTextTest : public testing::TestWithParam<Bad> {};

TEST_P(BadTextTest, IsRefused) {
  HParams params = makeParams();
  EXPECT_EQ(messageOf([&] { params.parse(GetParam().text); }),
            GetParam().message);
  EXPECT_EQ(params, makeParams());
}

INSTANTIATE_TEST_SUITE_P(
    HParamsTest, BadTextTest,
    testing::Values(
        Bad{"rat=1", "there is no hyper-parameter 'rat'; did you mean 'rate'?"},
        Bad{"size=1,size=2", "hyper-parameters: expected one value of 'size', "
                             "found another one after it"},
        Bad{"filters[0]=1,filters[0]=2",
            "hyper-parameters: expected one value of 'filters[0]', found "
            "another one after it"},
        Bad{"filters[0]=1,filters=[1]",
            "hyper-parameters: expected one value of 'filters', found another "
            "one after it"},
        Bad{"filters[2]=1",
            "hyper-parameter 'filters': expected an index below "
            "2, the number of elements, found 2"},
        Bad{"filters=[1],filters[1]=1",
            "hyper-parameter 'filters': expected an index below 1, the number "
            "of elements, found 1"},
        Bad{"size=1.5",
            "hyper-parameter 'size': expected a whole number, found '1.5'"},
        Bad{"size=99999999999999999999",
            "hyper-parameter 'size': expected a whole number, found "
            "'99999999999999999999'"},
        Bad{"rate=fast",
            "hyper-parameter 'rate': expected a number, found 'fast'"},
        Bad{"rate=1e999",
            "hyper-parameter 'rate': expected a number, found '1e999'"},
        Bad{"rate=nan",
            "hyper-parameter 'rate': expected a finite number, found nan"},
        Bad{"fast=2",
            "hyper-parameter 'fast': expected a truth value, found '2'"},
        Bad{"size=[1]",
            "hyper-parameter 'size': expected a whole number, found a list"},
        Bad{"size[0]=1",
            "hyper-parameter 'size': expected a whole number, found an index"},
        Bad{"filters=3", "hyper-parameter 'filters': expected a list of whole "
                         "numbers in brackets, found '3'"},
        Bad{"filters[0]=[3]", "hyper-parameter 'filters': expected a value for "
                              "an element, found a list"},
        Bad{"filters=[]", "hyper-parameter 'filters': expected a list of whole "
                          "numbers, found ''"},
        Bad{"filters=[1,2",
            "hyper-parameters: expected ']' at byte 12, found the end"},
        Bad{"filters=[1]2",
            "hyper-parameters: expected ',' at byte 11, found '2'"},
        Bad{"filters[-1]=2", "hyper-parameters: expected the index of an "
                             "element at byte 8, found '-1]=2'"},
        Bad{"size", "hyper-parameters: expected '=' at byte 4, found the end"},
        Bad{"=1", "hyper-parameters: expected a name at byte 0, found '=1'"}));

class BadJsonTest : public testing::TestWithParam<Bad> {};

TEST_P(BadJsonTest, IsRefused) {
  HParams params = makeParams();
  EXPECT_EQ(messageOf([&] {
              params.parseJson(GetParam().text);
            }).substr(0, std::string(GetParam().message).size()),
            GetParam().message);
  EXPECT_EQ(params, makeParams());
}

INSTANTIATE_TEST_SUITE_P(
    HParamsTest, BadJsonTest,
    testing::Values(
        Bad{"{", "hyper-parameters: expected JSON, found "},
        Bad{"[1]", "hyper-parameters: expected an object, found [1]"},
        Bad{"{\"size\": null}", "hyper-parameter 'size': expected a number, a "
                                "truth value, a string "
                                "or a list of equal types, found null"},
        Bad{"{\"filters\": [1, \"a\"]}",
            "hyper-parameter 'filters': expected a number, a truth value, a "
            "string or a list of equal types, found [1,\"a\"]"},
        Bad{"{\"size\": 18446744073709551615}",
            "hyper-parameter 'size': expected a number, a truth value, a "
            "string or a list of equal types, found 18446744073709551615"},
        Bad{"{\"size\": 1, \"size\": 2}",
            "hyper-parameters: expected different keys, found 'size' twice"},
        Bad{"{\"size\": 1, \"depth\": 2}",
            "there is no hyper-parameter 'depth'"}));

TEST(HParamsTest, ReadsWhatItWroteAsJson) {
  const std::string text = makeParams().toJson();
  EXPECT_TRUE(text.starts_with("{\n  \"rate\": 0.5,\n  \"size\": 128,\n"));
  EXPECT_EQ(HParams::fromJson(text), makeParams());
  EXPECT_EQ(HParams::fromJson(HParams({{"x", 1.0}}).toJson()).at("x").kind(),
            "a number");
  EXPECT_EQ(messageOf([] { (void)HParams({{"x", "\xff"}}).toJson(); }),
            "hyper-parameters: expected strings in UTF-8, found other bytes");
}

TEST(HParamsTest, SavesAFile) {
  const std::string path = testing::TempDir() + "tg-hparams.json";
  makeParams().save(path);
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, makeParams().toJson());
  std::remove(path.c_str());
  EXPECT_THROW(makeParams().save(testing::TempDir()), tg::data::DataError);
}

} // namespace
