//===- CpuTargetModel.cpp - what passes ask about CPUs --------------------===//
#include "compiler/codegen/cpu/CpuTargetModel.h"
#include "compiler/codegen/cpu/CpuBackend.h"
#include "compiler/codegen/cpu/contraction/CpuContraction.h"

using namespace mlir;
using namespace tg;

namespace {
class CpuTargetModel : public TargetModel {
public:
  StringRef getKind() const override { return "cpu"; }

  SmallVector<TargetDescription>
  describeTargets(tgx::TargetAttr attribute) const override {
    SmallVector<TargetDescription> targets;
    for (int level : CpuBackend().getLevels()) {
      Target target;
      target.level = level;
      target.optimization = attribute.getOptimization();
      targets.push_back(CpuBackend().describe(target));
    }
    return targets;
  }

  ArrayRef<const ContractionAlgorithm *> getContractions() const override {
    return getCpuContractions();
  }

  tgx::LayoutAttrInterface
  chooseLayout(const Contraction &contraction, const OperandUse &use,
               const TargetDescription &target) const override {
    return choosePanels(contraction, use, target.panelBytes);
  }
};
} // namespace

const TargetModel &tg::getCpuTargetModel() {
  static const CpuTargetModel model;
  return model;
}
