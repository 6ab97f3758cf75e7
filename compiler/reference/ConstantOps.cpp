//===- ConstantOps.cpp - single ops on known operands ---------------------===//
#include "compiler/reference/ConstantOps.h"
#include "compiler/reference/ElementRule.h"
#include "compiler/reference/OpReference.h"
#include "dialects/tg/evaluation/ExactEvaluation.h"

using namespace mlir;
using namespace tg;

namespace {
struct ReferenceOfConstants : ExactEvaluation {
  explicit ReferenceOfConstants(Dialect *dialect) : ExactEvaluation(dialect) {}

  std::string evaluate(EvaluableOpInterface op, ArrayRef<HostTensor> operands,
                       MutableArrayRef<HostTensor> results) const override {
    SmallVector<HostTensor> computed;
    std::string error = OpReference(op).evaluate(operands, computed);
    if (error.empty())
      llvm::move(computed, results.begin());
    return error;
  }
};
} // namespace

void tg::attachExactEvaluation(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TgDialect *dialect) {
    loadScalarDialects(context);
    dialect->addInterfaces<ReferenceOfConstants>();
  });
}
