/// Tests the linker inside the process: diagnosed errors, and that linking
/// works again after an error.
#include "compiler/library/link/Link.h"
#include "compiler/codegen/Backend.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace tg;

namespace {

/// Compiles an LLVM module given as text to an object file.
FileBytes compile(llvm::StringRef text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  mlir::MLIRContext mlirContext;
  mlir::OwningOpRef<mlir::ModuleOp> op =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&mlirContext));
  const CpuCode &cpu = *getCpuBackend().getCpuCode();
  StageClock clock;
  FileBytes object;
  if (module)
    EXPECT_TRUE(llvm::succeeded(cpu.write(*module, *op, cpu.getTablesTarget(),
                                          llvm::CodeGenFileType::ObjectFile,
                                          object, clock)));
  return object;
}

/// Links one object and returns the error of the link or of the library check;
/// empty for none.
std::string linkAndCheck(llvm::StringRef text) {
  FileBytes library;
  if (llvm::Error error = linkShared(compile(text), library))
    return llvm::toString(std::move(error));
  return llvm::toString(checkLibrary(library));
}

TEST(LinkTest, memory_functions_may_stay_undefined) {
  EXPECT_EQ(linkAndCheck("declare ptr @memset(ptr, i32, i64)\n"
                         "define ptr @f(ptr %p, i64 %n) {\n"
                         "  %r = call ptr @memset(ptr %p, i32 0, i64 %n)\n"
                         "  ret ptr %r\n}"),
            "");
}

TEST(LinkTest, other_functions_are_refused) {
  EXPECT_EQ(linkAndCheck("declare float @expf(float)\n"
                         "define float @f(float %x) {\n"
                         "  %r = call float @expf(float %x)\n"
                         "  ret float %r\n}"),
            "expected the library to need only memcpy, memmove, memset and "
            "memcmp, found expf");
}

TEST(LinkTest, writable_data_is_refused) {
  EXPECT_EQ(linkAndCheck("@counter = global i32 1\n"
                         "define i32 @f() {\n"
                         "  %r = load i32, ptr @counter\n"
                         "  ret i32 %r\n}"),
            "expected the library to have no writable data, found section "
            ".data");
}

TEST(LinkTest, failed_link_names_the_reason_and_the_next_one_works) {
  FileBytes object = compile("define i32 @f() {\n  ret i32 1\n}");
  FileBytes library;
  std::string message = llvm::toString(linkShared({object, object}, library));
  EXPECT_NE(message.find("duplicate symbol: f"), std::string::npos) << message;
  EXPECT_EQ(llvm::toString(linkShared(object, library)), "");
  EXPECT_GT(library.size(), 100u);
}

} // namespace
