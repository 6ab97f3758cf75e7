//===- PlanTarget.cpp - the targets of a module, as passes see them -------===//
#include "compiler/target/PlanTarget.h"

using namespace mlir;
using namespace tg;

/// Returns the target of a module.
static tgx::TargetAttr targetOf(ModuleOp module) {
  if (auto target = module->getAttrOfType<tgx::TargetAttr>(tgx::kTargetAttr))
    return target;
  return tgx::TargetAttr::get(module.getContext(), "cpu", /*optimization=*/2,
                              /*properties=*/nullptr);
}

PlanTarget::PlanTarget(ModuleOp module) : PlanTarget(targetOf(module)) {}

PlanTarget::PlanTarget(tgx::TargetAttr target) : model(nullptr) {
  auto *dialect = target.getContext()->getLoadedDialect<tgx::TgxDialect>();
  if (const auto *models = dialect->getRegisteredInterface<TargetModels>())
    model = models->find(target.getKind());
  if (model)
    targets = model->describeTargets(target);
  else
    targets.emplace_back();
}

bool PlanTarget::canCompute(const ContractionRequest &request) const {
  return model && llvm::all_of(targets, [&](const TargetDescription &target) {
           return findFirst(model->getContractions(), request, target);
         });
}

StringRef PlanTarget::findAlgorithm(const ContractionRequest &request) const {
  if (!model)
    return {};
  const ContractionAlgorithm *common = nullptr;
  for (const TargetDescription &target : targets) {
    const ContractionAlgorithm *chosen =
        findFirst(model->getContractions(), request, target);
    if (!chosen || (common && chosen != common))
      return {};
    common = chosen;
  }
  return common->getName();
}

tgx::LayoutAttrInterface
PlanTarget::chooseLayout(const Contraction &contraction,
                         const OperandUse &use) const {
  return model ? model->chooseLayout(contraction, use, getDescription())
               : tgx::LayoutAttrInterface();
}
