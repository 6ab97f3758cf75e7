//===- Tables.cpp - the constant tables of a library ----------------------===//
#include "compiler/library/tables/Tables.h"
#include "compiler/library/tables/PlanTables.h"
#include "llvm/IR/IRBuilder.h"

using namespace tg;
using llvm::Constant;
using Constants = llvm::SmallVector<Constant *>;

std::string tg::exportedName(const LibraryOptions &options) {
  if (options.symbolPrefix.empty())
    return TG_MODEL_SYMBOL;
  return options.symbolPrefix + "_" TG_MODEL_SYMBOL;
}

uint32_t tg::targetBits(llvm::ArrayRef<ModelPlan> plans) {
  uint32_t bits = 0;
  for (const ModelPlan &plan : plans)
    for (const Target &target : plan.targets)
      bits |= 1u << target.level;
  return bits;
}

uint32_t tg::abiVersion(llvm::ArrayRef<ModelPlan> plans) {
  uint32_t version = ~0u;
  for (const ModelPlan &plan : plans)
    version = std::min(version, plan.abiVersion());
  return version;
}

/// Emits the exported function.
static void emitExport(llvm::ArrayRef<Constant *> models, llvm::StringRef name,
                       llvm::Module &module, TableBuilder &table) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type *word = builder.getInt32Ty();
  llvm::Type *pointer = builder.getPtrTy();
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(word, {word, word, pointer}, /*isVarArg=*/false),
      llvm::GlobalValue::ExternalLinkage, name, module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  auto *type = llvm::FunctionType::get(
      word, {word, word, pointer, pointer, word}, /*isVarArg=*/false);
  builder.CreateRet(builder.CreateCall(
      type, table.external("tg_embedded_model_get"),
      {function->getArg(0), function->getArg(1), function->getArg(2),
       table.list(models), builder.getInt32(models.size())}));
}

llvm::LogicalResult tg::emitTables(llvm::ArrayRef<ModelPlan> plans,
                                   const LibraryOptions &options,
                                   llvm::Module &module) {
  TableBuilder table(module);
  Constants models;
  for (const ModelPlan &plan : plans)
    if (failed(emitPlanTables(plan, options, targetBits(plans), table, models)))
      return llvm::failure();
  emitExport(models, exportedName(options), module, table);
  return llvm::success();
}
