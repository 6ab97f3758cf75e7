//===- ReducedGroups.cpp - kernels of strategy reduction ------------------===//
#include "compiler/codegen/cuda/ThreadEmitters.h"
#include "compiler/codegen/cuda/reduction/ReductionEmitters.h"

using namespace mlir;
using namespace tg;

LogicalResult tg::emitReducedGroups(ThreadFrame &frame,
                                    ElementEmitter &elements) {
  GroupElements group(frame, elements);
  ReductionForm form(group);
  switch (form.kind) {
  case ReductionForm::Kind::serial:
    emitSerialReduction(group);
    break;
  case ReductionForm::Kind::kept:
    emitKeptReduction(group, form);
    break;
  case ReductionForm::Kind::warps:
    emitWarpReduction(group, form);
    break;
  case ReductionForm::Kind::columns:
    emitColumnReduction(group, form);
    break;
  }
  return failure(elements.hasFailed());
}
