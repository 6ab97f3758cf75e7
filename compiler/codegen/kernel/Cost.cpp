//===- Cost.cpp - the cost of an op ---------------------------------------===//
#include "compiler/codegen/kernel/Cost.h"
#include "dialects/tg/Tg.h"

using namespace mlir;
using namespace tg;

bool tg::isExpensive(Operation *op) {
  auto rule = dyn_cast<ElementwiseOpInterface>(op);
  return rule && rule.isTranscendental();
}
