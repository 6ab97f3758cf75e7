//===- TargetModel.cpp - what passes ask about a kind of target -----------===//
#include "compiler/target/TargetModel.h"

using namespace mlir;
using namespace tg;

void TargetModels::add(const TargetModel &model) {
  if (!find(model.getKind()))
    models.push_back(&model);
}

const TargetModel *TargetModels::find(StringRef kind) const {
  for (const TargetModel *model : models)
    if (model->getKind() == kind)
      return model;
  return nullptr;
}

void tg::registerTargetModel(tgx::TgxDialect &dialect,
                             const TargetModel &model) {
  if (!dialect.getRegisteredInterface<TargetModels>())
    dialect.addInterfaces<TargetModels>();
  dialect.getRegisteredInterface<TargetModels>()->add(model);
}
