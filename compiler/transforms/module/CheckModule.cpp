//===- CheckModule.cpp - checks of the rules of a module ------------------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/module/SourceOrder.h"
#include "dialects/tg/rules/ModuleRules.h"

namespace tg {
#define GEN_PASS_DEF_CHECKMODULE
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;

namespace {
struct CheckModule : public tg::impl::CheckModuleBase<CheckModule> {
  void runOnOperation() override {
    tg::SourceOrder order(&getContext());
    if (failed(tg::verifyModuleRules(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
