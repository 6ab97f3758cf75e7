//===- WorkDiagnosticsTest.cpp - diagnostics of parallel work -------------===//
#include "compiler/library/code/WorkDiagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;

namespace {
/// Captures the diagnostics of two work items. The first one warns.
class WorkDiagnosticsTest : public testing::Test {
protected:
  WorkDiagnosticsTest() {
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      passed.push_back(diagnostic.str());
      return success();
    });
  }

  void run(llvm::function_ref<void(Location)> second) {
    Location loc = UnknownLoc::get(&context);
    WorkDiagnostics diagnostics(&context);
    diagnostics.enter(0);
    emitWarning(loc) << "slow";
    diagnostics.enter(1);
    second(loc);
    diagnostics.emitFirst();
  }

  MLIRContext context;
  std::vector<std::string> passed;
};
} // namespace

TEST_F(WorkDiagnosticsTest, an_error_comes_before_an_earlier_warning) {
  run([](Location loc) { emitError(loc) << "wrong"; });
  EXPECT_EQ(passed, std::vector<std::string>{"wrong"});
}

TEST_F(WorkDiagnosticsTest, warnings_of_the_first_item_are_passed_on) {
  run([](Location loc) { emitWarning(loc) << "slow, too"; });
  EXPECT_EQ(passed, std::vector<std::string>{"slow"});
}
