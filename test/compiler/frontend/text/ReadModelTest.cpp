//===- ReadModelTest.cpp - Tests of reading models ------------------------===//
//
// Tests paths that are not model files, texts that are not models, and
// diagnostics that contain text of the model.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/ReadModel.h"

#include "compiler/frontend/text/DiagnosticPrinter.h"
#include "compiler/frontend/text/OutputFile.h"
#include "compiler/frontend/text/Stack.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sys/stat.h>

using namespace mlir;
using namespace tg;
namespace fs = std::filesystem;

namespace {

/// Fixture with a context that loads `func`, and the diagnostics of the last
/// model.
class ReadModel : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/tg-read-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
    context.loadDialect<func::FuncDialect>();
  }
  void TearDown() override { fs::remove_all(directory); }

  /// Returns the diagnostics of reading the file `path`; empty for a valid
  /// model.
  std::string read(const std::string &path, const ScanLimits &limits = {}) {
    std::string messages;
    llvm::raw_string_ostream stream(messages);
    llvm::SourceMgr sourceMgr;
    DiagnosticPrinter printer(context, sourceMgr, stream, "test");
    bool isModel = bool(readModel(context, sourceMgr, path, limits));
    EXPECT_EQ(isModel, messages.empty()) << messages;
    return messages;
  }

  /// Returns the diagnostics of reading a file that contains `text`.
  std::string readText(llvm::StringRef text) {
    std::string path = (directory / "m.mlir").string();
    llvm::cantFail(writeFileAtomically(path, {text}, 0644));
    std::string messages = read(path);
    size_t at;
    while ((at = messages.find(path)) != std::string::npos)
      messages.replace(at, path.size(), "m.mlir");
    return messages;
  }

  fs::path directory;
  MLIRContext context;
};

TEST(EscapeControls, leavesTextAndShowsTheRest) {
  EXPECT_EQ(escapeControls("gr\xc3\xb6\xc3\x9f"
                           "e \xe2\x82\xac"),
            "gr\xc3\xb6\xc3\x9f"
            "e \xe2\x82\xac");
  EXPECT_EQ(escapeControls("a\n\x1b[m\x7f"), "a\\0A\\1B[m\\7F");
  EXPECT_EQ(escapeControls("\xc2\x9b"
                           "2J"),
            "\\C2\\9B2J");
  EXPECT_EQ(escapeControls("\xff"
                           "a\xe2\x82"),
            "\\FFa\\E2\\82");
}

TEST_F(ReadModel, readsAModule) {
  EXPECT_EQ(readText("module @m { func.func private @f() }"), "");
}

TEST_F(ReadModel, onlyRegularFilesAreRead) {
  std::string dir = directory.string();
  EXPECT_EQ(read(dir), "test: error: cannot read '" + dir +
                           "': is a directory, expected a regular file\n");
  std::string pipe = dir + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(read(pipe), "test: error: cannot read '" + pipe +
                            "': is a pipe, expected a regular file\n");
  EXPECT_EQ(read("/dev/zero"),
            "test: error: cannot read '/dev/zero': is a device, "
            "expected a regular file\n");
  EXPECT_EQ(read(dir + "/no"),
            "test: error: cannot read '" + dir +
                "/no': No such file or directory\n");
}

TEST_F(ReadModel, sizeIsLimitedBeforeReading) {
  std::string path = (directory / "big").string();
  llvm::cantFail(writeFileAtomically(path, {"module {}"}, 0644));
  fs::resize_file(path, uint64_t(1) << 40);
  EXPECT_EQ(read(path), "test: error: cannot read '" + path +
                            "': has 1099511627776 bytes, expected at most "
                            "268435456\n");
}

TEST_F(ReadModel, refusalOfThePreScanShowsItsPlace) {
  EXPECT_EQ(readText("module {\n  %0 = tensor<2x\x01>\n}"),
            "m.mlir:2:17: error: control character 0x01, expected printable "
            "text\n  %0 = tensor<2x\\01>\n                ^\n");
}

TEST_F(ReadModel, mistakesOfTheParserAndVerifierShowTheirPlace) {
  std::string parse = readText("module {\n  foo\n}");
  EXPECT_EQ(parse.find("m.mlir:2:3: error: "), 0u) << parse;
  std::string verify = readText("func.func @f() -> i32 {\n  return\n}");
  EXPECT_EQ(
      verify.find("m.mlir:2:3: error: 'func.return' op expected to return "
                  "1 value, as function @f does, found 0 [M3]"),
      0u)
      << verify;
  // The op itself is not printed, since a hostile op may be very large.
  EXPECT_EQ(verify.find("see current operation"), std::string::npos);
}

TEST_F(ReadModel, namesCannotForgeOutput) {
  std::string messages = readText("func.func @\"a\\0Aforged: error: x\\1B[31m\""
                                  "() -> i32 {\n  return\n}");
  EXPECT_NE(messages.find("a\\0Aforged"), std::string::npos) << messages;
  EXPECT_EQ(messages.find("\nforged"), std::string::npos) << messages;
  EXPECT_EQ(messages.find('\x1b'), std::string::npos) << messages;
}

TEST_F(ReadModel, locationsOpenNoFiles) {
  // MLIR's own handler would open the pipe and wait for a writer.
  std::string pipe = (directory / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string messages = readText("func.func @f() -> i32 {\n  return loc(\"" +
                                  pipe + "\":7:9)\n}");
  EXPECT_EQ(messages.find(pipe + ":7:9: error: "), 0u) << messages;
}

TEST_F(ReadModel, errorsAreNotPrintedWithoutEnd) {
  std::string text = "func.func @f() {\n";
  for (int i = 0; i < 100; ++i)
    text += "  call @g(%a" + std::to_string(i) + ") : (i32) -> ()\n";
  std::string messages = readText(text + "  return\n}");
  EXPECT_NE(messages.find("more than 20 errors, the rest is not shown\n"),
            std::string::npos)
      << messages;
  EXPECT_LT(messages.size(), 4000u);
}

TEST_F(ReadModel, emptyTextIsAnEmptyModule) { EXPECT_EQ(readText(""), ""); }

/// Uses about 16 KiB of stack per level.
int useStack(int levels) {
  volatile char space[1 << 14];
  space[0] = char(levels);
  return levels == 0 ? 0 : useStack(levels - 1) + space[0] * 0 + 1;
}

TEST(Stack, isLarge) {
  int levels = 0;
  // The recursion needs 128 MiB; the main thread usually has 8 MiB.
  EXPECT_FALSE(bool(runOnLargeStack([&] { levels = useStack(8192); })));
  EXPECT_EQ(levels, 8192);
}

TEST(Stack, impossibleSizeIsAnError) {
  bool ran = false;
  llvm::Error error = runOnLargeStack([&] { ran = true; }, size_t(1) << 60);
  EXPECT_NE(llvm::toString(std::move(error)).find("cannot start a thread"),
            std::string::npos);
  EXPECT_FALSE(ran);
}

} // namespace
