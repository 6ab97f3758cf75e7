//===- TableOps.cpp - values of ops of tgx --------------------------------===//
//
// Passes build ops of tgx that find equal indices and true elements. They have
// no values of their own, because nothing folds them.
//
//===----------------------------------------------------------------------===//
#include "compiler/reference/Reference.h"
#include "dialects/tg/Tg.h"
#include "dialects/tgx/Tgx.h"

using namespace mlir;
using namespace tg;

namespace {

struct FirstEqualValue
    : EvaluableOpInterface::ExternalModel<FirstEqualValue, tgx::FirstEqualOp> {
  std::string evaluate(Operation *, ArrayRef<HostTensor> operands,
                       MutableArrayRef<HostTensor> results) const {
    std::map<int64_t, int64_t> first;
    for (int64_t i = 0; i < operands[0].getNumElements(); ++i)
      results[0].values<int64_t>()[i] =
          first.try_emplace(operands[0].integerAt(i), i).first->second;
    return {};
  }
};

struct CountTrueValue
    : EvaluableOpInterface::ExternalModel<CountTrueValue, tgx::CountTrueOp> {
  std::string evaluate(Operation *, ArrayRef<HostTensor> operands,
                       MutableArrayRef<HostTensor> results) const {
    for (auto [element, flag] : llvm::enumerate(operands[0].values<uint8_t>()))
      results[0].values<int64_t>()[element / tgx::CountTrueOp::kPartElements] +=
          flag != 0;
    return {};
  }
};

struct ListTrueValue
    : EvaluableOpInterface::ExternalModel<ListTrueValue, tgx::ListTrueOp> {
  std::string evaluate(Operation *, ArrayRef<HostTensor> operands,
                       MutableArrayRef<HostTensor> results) const {
    int64_t *next = results[0].values<int64_t>().data();
    for (auto [element, flag] : llvm::enumerate(operands[0].values<uint8_t>()))
      if (flag)
        next = llvm::copy(unflatten(element, operands[0].getShape()), next);
    return {};
  }
};

struct TakeTrueValue
    : EvaluableOpInterface::ExternalModel<TakeTrueValue, tgx::TakeTrueOp> {
  std::string evaluate(Operation *, ArrayRef<HostTensor> operands,
                       MutableArrayRef<HostTensor> results) const {
    size_t bytes = elementBytes(operands[0].getElementType());
    char *next = results[0].data();
    for (auto [element, flag] : llvm::enumerate(operands[1].values<uint8_t>()))
      if (flag)
        next = std::copy_n(operands[0].data() + element * bytes, bytes, next);
    return {};
  }
};

} // namespace

void tg::registerReference(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tgx::TgxDialect *) {
    tgx::FirstEqualOp::attachInterface<FirstEqualValue>(*context);
    tgx::CountTrueOp::attachInterface<CountTrueValue>(*context);
    tgx::ListTrueOp::attachInterface<ListTrueValue>(*context);
    tgx::TakeTrueOp::attachInterface<TakeTrueValue>(*context);
  });
}
