//===- CudaTargetModel.cpp - what passes ask about NVIDIA GPUs ------------===//
#include "compiler/codegen/cuda/CudaTargetModel.h"
#include "compiler/codegen/cuda/CudaBackend.h"

using namespace mlir;
using namespace tg;

namespace {
class CudaTargetModel : public TargetModel {
public:
  StringRef getKind() const override { return "cuda"; }

  SmallVector<TargetDescription>
  describeTargets(tgx::TargetAttr attribute) const override {
    SmallVector<TargetDescription> targets;
    for (int level : CudaBackend().getLevels()) {
      Target target;
      target.kind = getKind();
      target.level = level;
      target.optimization = attribute.getOptimization();
      targets.push_back(CudaBackend().describe(target));
    }
    return targets;
  }
};
} // namespace

const TargetModel &tg::getCudaTargetModel() {
  static const CudaTargetModel model;
  return model;
}
