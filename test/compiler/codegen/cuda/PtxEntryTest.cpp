/// The kernels that a user's PTX defines, and the errors of NVRTC.
#include "compiler/codegen/cuda/source/PtxEntry.h"
#include "compiler/codegen/cuda/source/Nvrtc.h"
#include "gtest/gtest.h"

using namespace tg;

namespace {

/// Returns the kernels as "name(parameter; parameter)", separated by spaces.
std::string describe(llvm::StringRef ptx) {
  std::string text;
  for (const PtxEntry &entry : findPtxEntries(ptx)) {
    text += (text.empty() ? "" : " ") + entry.name.str() + "(";
    for (auto [index, parameter] : llvm::enumerate(entry.parameters))
      text += (index ? "; " : "") + parameter.str();
    text += ")";
  }
  return text;
}

/// Returns the text with the guard of its first kernel.
std::string guard(llvm::StringRef ptx) {
  return guardPtxEntry(ptx, findPtxEntries(ptx).front());
}

} // namespace

TEST(PtxEntryTest, findsTheKernelsThatAreDefined) {
  EXPECT_EQ(describe(".visible .entry f(.param .u64 a,.param .u64 b){ret;}"),
            "f(.param .u64 a; .param .u64 b)");
  EXPECT_EQ(describe(".entry f { ret; }\n.weak .entry g ( ) {}"), "f() g()");
  EXPECT_EQ(describe(".entry f();\n.entry g(.param .u64 a) .maxntid 8\n{}"),
            "g(.param .u64 a)");
  EXPECT_EQ(describe(".func h(.param .u64 a) { }"), "");
}

TEST(PtxEntryTest, skipsCommentsAndStrings) {
  EXPECT_EQ(describe("// .entry f() {\n/* .entry g() { */"), "");
  EXPECT_EQ(describe(".file 1 \".entry f() {\"\n.entry g() {}"), "g()");
  EXPECT_EQ(describe(".entry /* a */ f(.param .u64 a // b\n) {}"),
            "f(.param .u64 a)");
}

TEST(PtxEntryTest, survivesTextsThatEndEarly) {
  const std::string whole = ".entry f(.param .u64 a, .param .u64 b) \"x\" {}";
  for (size_t length = 0; length < whole.size() - 1; ++length)
    EXPECT_EQ(describe(llvm::StringRef(whole).take_front(length)), "")
        << length;
  EXPECT_EQ(describe(llvm::StringRef("\0.entry", 7)), "");
  EXPECT_EQ(describe("/* .entry f() {}"), "");
  EXPECT_EQ(describe("\""), "");
}

TEST(PtxEntryTest, findsTheThreadsThatAKernelAllows) {
  using Extents = std::array<uint32_t, 3>;
  auto read = [](llvm::StringRef ptx) { return findPtxEntries(ptx).front(); };
  EXPECT_FALSE(read(".entry f() {}").maximumThreads);
  EXPECT_EQ(read(".entry f() .maxntid 64, 2, 3 {}").maximumThreads,
            (Extents{64, 2, 3}));
  const PtxEntry both = read(".entry f .maxntid 64 .reqntid 32, 2 {}");
  EXPECT_EQ(both.maximumThreads, (Extents{64, 1, 1}));
  EXPECT_EQ(both.requiredThreads, (Extents{32, 2, 1}));
  EXPECT_EQ(read(".entry f() .maxntid , {}").maximumThreads,
            (Extents{0, 1, 1}));
}

TEST(PtxEntryTest, describesWhatIsNoHeader) {
  EXPECT_EQ(describePtxHeader("// PTX\n.version 7.0\n.target sm_80, debug\n"
                              ".address_size 64\n.entry f() {}"),
            "");
  EXPECT_EQ(describePtxHeader(""), "the end");
  EXPECT_EQ(describePtxHeader(".target sm_80 .version 7.0"), "'.target'");
  EXPECT_EQ(describePtxHeader(".version 7.0 .target sm_80"), "the end");
  EXPECT_EQ(describePtxHeader(".version 7.0 .target sm_80 .entry f() {}"),
            "'.entry'");
  EXPECT_EQ(describePtxHeader(".version 7.0 .target sm_80 .address_size 32"),
            "'.address_size 32'");
}

TEST(PtxEntryTest, knowsParametersOf8Bytes) {
  for (const char *parameter :
       {".param .u64 a", ".param .s64 a", ".param .b64 a",
        ".param .u64 .ptr .global .align 4 a"})
    EXPECT_TRUE(isWordParameter(parameter)) << parameter;
  for (const char *parameter :
       {".param .u32 a", ".param .f64 a", ".param .align 8 .b8 a[8]",
        ".param .b64 a[2]", ""})
    EXPECT_FALSE(isWordParameter(parameter)) << parameter;
}

TEST(PtxEntryTest, appendsTheParametersOfTheGuard) {
  EXPECT_TRUE(llvm::StringRef(guard(".entry f(.param .u64 a) .maxntid 8 { x"))
                  .starts_with(".entry f(.param .u64 a,\n\t.param .u64 "
                               "tg$report,\n\t.param .u64 tg$launch\n) "
                               ".maxntid 8 {\n\t.reg .pred \ttg$fails;"));
  EXPECT_TRUE(llvm::StringRef(guard(".entry f() { x"))
                  .starts_with(".entry f(\n\t.param .u64 tg$report,"));
  EXPECT_TRUE(llvm::StringRef(guard(".entry f { x"))
                  .starts_with(".entry f(\n\t.param .u64 tg$report,\n\t.param "
                               ".u64 tg$launch\n) {"));
  EXPECT_TRUE(llvm::StringRef(guard(".entry f { x")).ends_with("ret; x"));
}

TEST(NvrtcTest, findsTheErrorsInALog) {
  const std::vector<NvrtcError> errors = findNvrtcErrors(
      "kernel.cu(3): warning #177-D: variable \"a\" was declared\n"
      "kernel.cu(12): error: identifier \"x\" is undefined\n"
      "    y = x;\n        ^\n"
      "kernel.cu(13): catastrophic error: cannot open source file \"a.h\"\n"
      "At end of source: error: expected a \"}\"\n"
      "2 errors detected in the compilation of \"kernel.cu\".\n");
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_EQ(errors[0].line, 12u);
  EXPECT_EQ(errors[0].text, "identifier \"x\" is undefined");
  EXPECT_EQ(errors[1].line, 13u);
  EXPECT_EQ(errors[2].line, 0u);
  EXPECT_EQ(errors[2].text, "expected a \"}\"");
  EXPECT_EQ(errors[1].text, "cannot open source file \"a.h\"");
}
