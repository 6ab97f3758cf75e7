//===- CreatePlans.cpp - one module for each plan of targets --------------===//
#include "compiler/target/Precision.h"
#include "compiler/transforms/Passes.h"
#include "dialects/tgx/Tgx.h"

namespace tg {
#define GEN_PASS_DEF_CREATEPLANS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
struct CreatePlans : tg::impl::CreatePlansBase<CreatePlans> {
  using CreatePlansBase::CreatePlansBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<Operation *> program = llvm::to_vector(
        llvm::make_pointer_range(module.getBody()->getOperations()));
    SmallVector<std::string> all(kinds.begin(), kinds.end());
    if (all.empty())
      all.push_back("cpu");
    // The last plan takes the program, the others get copies of it.
    for (const std::string &kind : all) {
      ModuleOp plan = createPlan(kind);
      for (Operation *op : program)
        if (kind == all.back())
          op->moveBefore(plan.getBody(), plan.getBody()->end());
        else
          plan.push_back(op->clone());
    }
  }

  ModuleOp createPlan(StringRef kind) {
    ModuleOp module = getOperation();
    auto plan = ModuleOp::create(module.getLoc(), kind);
    Builder builder(&getContext());
    DictionaryAttr properties;
    if (precision != kExactPrecision)
      properties = builder.getDictionaryAttr(builder.getNamedAttr(
          kPrecisionProperty, builder.getStringAttr(precision)));
    plan->setAttr(
        tgx::kTargetAttr,
        tgx::TargetAttr::get(&getContext(), kind, optimization, properties));
    module.push_back(plan);
    return plan;
  }
};
} // namespace
