//===- PreScanTest.cpp - Tests of the pre-scan ----------------------------===//
//
// Tests that bad text is rejected with its position and with a message that
// quotes it, and that text passes if MLIR accepts it and a model has a use for
// it.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/PreScan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

using namespace tg;

namespace {

/// Returns `piece` repeated `count` times.
std::string repeat(std::string_view piece, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i)
    result += piece;
  return result;
}

/// Returns "line:column: message" if the scan rejects `text`, otherwise "".
std::string scan(std::string_view text, const ScanLimits &limits = {}) {
  std::optional<ScanError> error = preScan(text, limits);
  if (!error)
    return "";
  return std::to_string(error->line) + ":" + std::to_string(error->column) +
         ": " + error->message;
}

TEST(PreScan, emptyTextPasses) { EXPECT_EQ(scan(""), ""); }

TEST(PreScan, bytecodeIsRefused) {
  EXPECT_EQ(scan("ML\xefR\x01MLIR"),
            "1:1: bytecode input is not accepted, expected MLIR text");
}

TEST(PreScan, sizeIsLimited) {
  ScanLimits limits;
  limits.bytes = 3;
  EXPECT_EQ(scan("abc", limits), "");
  EXPECT_EQ(scan("abcd", limits), "1:1: input has 4 bytes, expected at most 3");
}

TEST(PreScan, controlCharactersAreRefused) {
  EXPECT_EQ(scan(std::string_view("module {\n}\0", 11)),
            "2:2: control character 0x00, expected printable text");
  EXPECT_EQ(scan("\"\x1b[31m\""),
            "1:2: control character 0x1b, expected printable text");
  EXPECT_EQ(scan("// \x7f"),
            "1:4: control character 0x7f, expected printable text");
  EXPECT_EQ(scan("a\tb\r\nc"), "");
}

TEST(PreScan, compiledLibrariesAreRefused) {
  EXPECT_EQ(scan(std::string_view("\177ELF\2\1\1\0", 8)),
            "1:1: a compiled library or program, expected a model as text");
}

TEST(PreScan, onlyValidUtf8Passes) {
  for (const char *valid :
       {"\"\xc2\xa0\"", "// \xe2\x82\xac", "\xf0\x9f\x98\x80", "\xef\xbf\xbf",
        "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(scan(valid), "") << valid;
  for (const char *invalid :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(", "\xe0\x9f\xbf",
        "\xe2\x82", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xff"})
    EXPECT_NE(scan(invalid).find("expected UTF-8 text"), std::string::npos)
        << invalid;
}

TEST(PreScan, nestingIsLimitedToTheStatedDepth) {
  for (auto [open, close] :
       {std::pair("(", ")"), std::pair("[", "]"), std::pair("{", "}"),
        std::pair("tuple<", ">"), std::pair("module {", "}"),
        std::pair("dense<[", "]>"), std::pair("loc(fused[", "])")}) {
    size_t brackets = 0;
    for (char c : std::string_view(open))
      brackets += std::string_view("([{<").find(c) != std::string_view::npos;
    size_t count = 256 / brackets;
    EXPECT_EQ(scan(repeat(open, count) + repeat(close, count)), "") << open;
    EXPECT_NE(scan(repeat(open, count + 1)).find("brackets, expected at most"),
              std::string::npos)
        << open;
  }
}

TEST(PreScan, nestingNamesThePlace) {
  EXPECT_EQ(scan("x\n" + repeat("[", 300)),
            "2:257: nesting of 257 brackets, expected at most 256");
}

TEST(PreScan, closedBracketsDoNotCount) {
  EXPECT_EQ(scan(repeat("([{<>}])", 1000)), "");
}

TEST(PreScan, arrowsStringsAndCommentsAreNoBrackets) {
  EXPECT_EQ(scan(repeat("() -> ()\n", 1000)), "");
  EXPECT_EQ(scan("\"" + repeat("(", 1000) + "\""), "");
  EXPECT_EQ(scan("\"a\\\"" + repeat("(", 1000) + "\""), "");
  EXPECT_EQ(scan("// " + repeat("(", 1000)), "");
  EXPECT_EQ(scan("@\"" + repeat("(", 1000) + "\""), "");
  // An arrow must not hide a bracket.
  EXPECT_NE(scan(repeat("-> <", 300)), "");
  // A string does not start a comment, and a comment does not start a string.
  EXPECT_NE(scan("\"//\"" + repeat("(", 300)), "");
  EXPECT_NE(scan("// \"\n" + repeat("(", 300)), "");
}

TEST(PreScan, comparisonsInAffineSetsAreNoBrackets) {
  EXPECT_EQ(
      scan(repeat("affine_set<(d0) : (d0 >= 0, d0 <= 4, d0 == 1)>\n", 300)),
      "");
}

TEST(PreScan, tokensAreCounted) {
  ScanLimits limits;
  limits.tokens = 6;
  EXPECT_EQ(scan("[1, 2] // 3 4 5\n\"6 7\"", limits), "");
  EXPECT_EQ(scan("[1, 2] 3 4", limits),
            "1:10: model has 7 words, numbers and signs, expected at most 6; "
            "a large constant counts as one token in the form "
            "dense<\"0x...\"> or dense_resource");
}

TEST(PreScan, differentTokensAreCounted) {
  ScanLimits limits;
  limits.differentTokens = 3;
  EXPECT_EQ(scan("a 1 \"s\" a 1 \"s\" %v @w ^b ( )", limits), "");
  EXPECT_EQ(scan("a 1 \"s\" !t", limits),
            "1:9: model has 4 different words and numbers, expected at most 3");
  // The three different tokens are `dense`, `tensor` and the type.
  EXPECT_EQ(scan("dense<[1, 2, 3, 4]> : tensor<4xf32>", limits), "");
  EXPECT_NE(scan("dense<[1, 2, 3, 4]> : tensor<4xf32> 5", limits), "");
  EXPECT_NE(scan("foo<[1, 2, 3, 4]>", limits), "");
}

TEST(PreScan, trustedTextIsNotCounted) {
  ScanLimits limits = ScanLimits::ofTrusted();
  EXPECT_EQ(scan(repeat("%a ", 3'000'000), limits), "");
}

TEST(PreScan, integerLiteralsAreLimited) {
  EXPECT_EQ(scan(repeat("1", 40)), "");
  EXPECT_EQ(scan(repeat("1", 41)),
            "1:1: integer literal has 41 digits, expected at most 40");
  EXPECT_EQ(scan("0x" + repeat("f", 40)), "");
  EXPECT_NE(scan("0x" + repeat("f", 41)), "");
  EXPECT_NE(scan(repeat("1", 41) + ".5"), "");
  EXPECT_NE(scan("!foo<4x" + repeat("1", 41) + ">"), "");
  EXPECT_NE(scan("i" + repeat("1", 41)), "");
}

TEST(PreScan, hexStringsMayBeLong) {
  EXPECT_EQ(scan("dense<\"0x" + repeat("f", 100000) + "\">"), "");
}

TEST(PreScan, digitsInNamesAreNoLiterals) {
  EXPECT_EQ(scan("%" + repeat("1", 100) + " @w" + repeat("1", 100)), "");
}

TEST(PreScan, floatLiteralsAreLimited) {
  EXPECT_EQ(scan("0.1000000000000000055511151231257827021181583404541015625"),
            "");
  EXPECT_EQ(scan("1." + repeat("3", 200)),
            "1:1: float literal has 202 characters, expected at most 128");
  EXPECT_NE(scan("1.0e" + repeat("3", 200)), "");
  EXPECT_NE(scan("1.0e-" + repeat("3", 200)), "");
}

TEST(PreScan, floatLiteralsAreFinite) {
  EXPECT_EQ(scan("1.7e308, 1.0e-999999, 0.0e999999, 1., 5."), "");
  EXPECT_EQ(scan("1.0e999999"), "1:1: float literal 1.0e999999 is infinite, "
                                "expected a value of f64");
  EXPECT_NE(scan("1.8E+308"), "");
}

TEST(PreScan, namesAreLimited) {
  EXPECT_EQ(scan("@" + repeat("a", 4095)), "");
  EXPECT_EQ(scan("@" + repeat("a", 4096)),
            "1:1: name has 4097 characters, expected at most 4096");
  EXPECT_NE(scan("@\"" + repeat("a", 5000) + "\""), "");
}

TEST(PreScan, rankIsLimited) {
  EXPECT_EQ(scan("tensor<" + repeat("1x", 16) + "f32>"), "");
  EXPECT_EQ(scan("  tensor<" + repeat("1x", 17) + "f32>"),
            "1:9: tensor type has rank 17, expected at most 16 [G1]");
  EXPECT_NE(scan("vector<" + repeat("[1] x ", 17) + "f32>"), "");
  EXPECT_NE(scan("memref<" + repeat("?x", 17) + "f32>"), "");
  EXPECT_NE(scan("tensor <" + repeat("1x", 17) + "f32>"), "");
  EXPECT_NE(scan("tensor< // (\n" + repeat("1 // )\n x", 17) + "f32>"), "");
  EXPECT_NE(scan("tuple<tensor<" + repeat("0x", 17) + "f32>>"), "");
}

TEST(PreScan, byteSizeMayNotOverflow) {
  // 2^62 bytes pass, 2^63 bytes do not.
  EXPECT_EQ(scan("tensor<1073741824x1073741824xf32>"), "");
  EXPECT_EQ(scan("tensor<2147483648x1073741824xf32>"),
            "1:7: tensor type has 2^63 bytes or more, expected fewer [G1]");
  EXPECT_EQ(scan("tensor<9223372036854775807xi8>"), "");
  for (const char *shape :
       {"4294967296x4294967296xf32", "3037000500x3037000500xi8",
        "9223372036854775808xi8", "9223372036854775807xi16",
        "99999999999999999999999999xi1", "?x9223372036854775807xf64",
        "0x4294967296x4294967296xf32", "1152921504606846976xi64",
        "4611686018427387904xbf16", "4398046511104xi16777215"})
    EXPECT_NE(scan("tensor<" + std::string(shape) + ">"), "") << shape;
}

TEST(PreScan, extentsOfZeroAndHexLookAlikes) {
  EXPECT_EQ(scan("tensor<0xf32>, tensor<0x0xf32>, tensor<*xf32>"), "");
}

TEST(PreScan, resultNumbersAreLimited) {
  EXPECT_EQ(scan("%a#3, %b#100000"), "");
  EXPECT_NE(scan("%a#4000000000").find("'%value#N' add up to 4000000000"),
            std::string::npos);
  EXPECT_NE(scan("%a#99999999999999999999999999"), "");
  EXPECT_NE(scan(repeat("%a#60000 ", 300)), "");
  EXPECT_EQ(scan("#99999999999 = 1"), "");
  EXPECT_EQ(scan("%a #"), "");
}

TEST(PreScan, namesAreCounted) {
  ScanLimits limits;
  limits.names = 5;
  EXPECT_EQ(scan("%a @b ^c { %d", limits), "");
  EXPECT_EQ(scan("%a @b ^c { %d %e", limits),
            "1:15: model uses 6 names and regions, expected at most 5");
}

TEST(PreScan, affineOperatorsAreLimited) {
  EXPECT_NE(scan("affine_map<(d0) -> (" + repeat("-", 300) + "d0)>"), "");
  EXPECT_NE(scan("affine_map<(d0) -> (d0" + repeat(" + d0", 300) + ")>"), "");
  EXPECT_NE(scan("affine_map<(d0) -> (d0" + repeat(" mod 3", 300) + ")>"), "");
  EXPECT_EQ(scan(repeat("affine_map<(d0) -> (d0 + 1)>\n", 300)), "");
  EXPECT_EQ(scan("dense<[" + repeat("-1, ", 300) + "-1]>"), "");
}

TEST(PreScan, aliasChainsNest) {
  std::string text = "#a0 = [1]\n";
  for (int i = 1; i < 300; ++i)
    text += "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) + "]\n";
  EXPECT_NE(scan(text).find("alias nests 257 deep"), std::string::npos);
}

TEST(PreScan, aliasesMayNotMultiply) {
  for (auto [name, open, close] :
       {std::tuple("!a", "tuple<", ">"), std::tuple("#a", "[", "]"),
        std::tuple("#a", "loc(fused[", "])")}) {
    std::string text = std::string(name) + "0 = i32\n";
    for (int i = 1; i < 40; ++i) {
      std::string used = name + std::to_string(i - 1);
      text += name + std::to_string(i) + " = " + open + used + ", " + used +
              close + "\n";
    }
    EXPECT_NE(scan(text).find("aliases stand for"), std::string::npos) << open;
  }
}

TEST(PreScan, manyUsesOfSmallAliasesPass) {
  EXPECT_EQ(scan("#loc = loc(\"a\":1:1)\n#loc1 = loc(\"x\"(#loc))\nmodule {" +
                 repeat("return loc(#loc1)\n", 100000) + "}"),
            "");
}

TEST(PreScan, aliasEndsBeforeTheModule) {
  // The uses of #b would add up if the module counted as part of #b.
  EXPECT_EQ(scan("#b = dense<[1, 2]> : tensor<2xi32>\nmodule {" +
                 repeat("tg.constant {x = #b}\n", 50000) + "}"),
            "");
}

TEST(PreScan, resourceHeaders) {
  auto withBlob = [](std::string blob) {
    return "dense_resource<w>\n{-# dialect_resources: { builtin: { w: \"" +
           blob + "\" } } #-}";
  };
  EXPECT_EQ(scan(withBlob("0x0400000000000000")), "");
  EXPECT_EQ(scan(withBlob("0x00100000")), "");
  EXPECT_EQ(scan(withBlob("0x00000000")),
            "2:40: blob of resource 'w' has alignment 0, expected a power of "
            "two of at most 4096 [C1]");
  EXPECT_NE(scan(withBlob("0x03000000")), "");
  EXPECT_NE(scan(withBlob("0x00200000")), "");
  EXPECT_NE(scan(withBlob("0x00000080")), "");
  EXPECT_EQ(scan(withBlob("0x040000")),
            "2:40: blob of resource 'w' has 6 hexadecimal digits, expected at "
            "least 8 for its alignment [C1]");
}

TEST(PreScan, resourcesNeedABlob) {
  EXPECT_EQ(scan("a = dense_resource<nope> : tensor<4xf32>"),
            "1:20: resource 'nope' has no blob in the text [C1]");
  EXPECT_EQ(scan("dense_resource<\"a b\">\n{-# dialect_resources: { builtin: { "
                 "\"a b\": \"0x04000000\" } } #-}"),
            "");
  EXPECT_NE(scan("dense_resource<w>\n{-# external_resources: { builtin: { w: "
                 "\"0x04000000\" } } #-}"),
            "");
  EXPECT_NE(scan("{-# dialect_resources: { builtin: { w: \"0x04000000\", w: "
                 "\"0x04000000\" } } #-}"),
            "");
}

/// Returns the texts of the example models.
std::vector<std::string> examples() {
  std::vector<std::string> texts;
  for (const auto &entry :
       std::filesystem::directory_iterator(TG_EXAMPLES_DIR)) {
    if (entry.path().extension() != ".mlir")
      continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

TEST(PreScanExamples, pass) {
  EXPECT_GE(examples().size(), 3u);
  for (const std::string &text : examples())
    EXPECT_EQ(scan(text), "");
}

TEST(PreScanExamples, truncationsPass) {
  for (const std::string &text : examples())
    for (size_t i = 0; i <= 50; ++i)
      EXPECT_EQ(scan(text.substr(0, text.size() * i / 50)), "");
}

TEST(PreScanExamples, bitFlipsNeverCrash) {
  size_t refused = 0;
  for (std::string text : examples()) {
    // Flips each bit of about 250 bytes of each text.
    size_t step = text.size() / 250 + 1;
    for (size_t i = 0; i < text.size(); i += step) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        text[i] ^= 1 << bit;
        refused += preScan(text).has_value();
        text[i] ^= 1 << bit;
      }
    }
  }
  // The flips of the top bit yield invalid UTF-8.
  EXPECT_GT(refused, 0u);
}

} // namespace
