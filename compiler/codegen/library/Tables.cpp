//===- Tables.cpp - the constant tables of a library ----------------------===//
#include "compiler/codegen/library/Tables.h"
#include "compiler/codegen/library/FunctionCode.h"
#include "compiler/codegen/library/Metadata.h"
#include "compiler/codegen/library/TableBuilder.h"
#include "compiler/codegen/library/embedded/Embedded.h"
#include "dialects/tg/StateOps.h"
#include "llvm/IR/IRBuilder.h"

using namespace tg;
using llvm::Constant;
using Constants = llvm::SmallVector<Constant *>;

/// tg_symbol_t.maximum of every symbol.
static constexpr int64_t kMaximumExtent = int64_t(1) << 40;

std::string tg::exportedName(const LibraryOptions &options) {
  if (options.symbolPrefix.empty())
    return TG_MODEL_SYMBOL;
  return options.symbolPrefix + "_" TG_MODEL_SYMBOL;
}

uint32_t tg::targetBits(const LibraryOptions &options) {
  uint32_t bits = 0;
  for (int level : options.levels)
    bits |= 1u << level;
  return bits;
}

namespace {
/// The tables of one library.
class TablesBuilder {
public:
  TablesBuilder(const ModelPlan &plan, const LibraryOptions &options,
                llvm::Module &module)
      : plan(plan), options(options), module(module), table(module) {}

  void emit();

private:
  Constant *emitVariables();
  Constant *emitLocations();
  void emitConstants();
  void emitChecks();
  Constant *emitValues(llvm::ArrayRef<ValuePlan> values);
  Constant *emitSymbols(const FunctionPlan &function);
  Constant *emitEntryChecks(const FunctionPlan &function);
  /// The lists of a function that all levels share.
  struct Shared {
    Constant *inputs, *outputs, *symbols, *entryChecks;
  };
  Constant *emitFunction(const FunctionPlan &function, const Shared &shared,
                         unsigned number, int level, Constant *model);
  /// The table of one level.
  Constant *emitModel(int level);
  void emitExport(llvm::ArrayRef<Constant *> models);

  const ModelPlan &plan;
  const LibraryOptions &options;
  llvm::Module &module;
  TableBuilder table;
  Constant *variables = nullptr, *locations = nullptr;
  std::string metadata;
  std::vector<Shared> sharedLists;
};
} // namespace

Constant *TablesBuilder::emitVariables() {
  Constants entries;
  for (const SlabEntry &entry : plan.slab.getEntries()) {
    mlir::RankedTensorType type = entry.getType();
    tg::VariableOp variable = entry.variable;
    entries.push_back(table.record<tg_variable_t>(
        {table.word(sizeof(tg_variable_t)), table.dtype(type.getElementType()),
         table.string(variable.getSymName()), table.numbers(type.getShape()),
         table.word(type.getRank()), table.word(entry.role),
         table.word(variable.getTrainable() ? TG_VARIABLE_TRAINABLE : 0),
         table.word(entry.owner), table.wide(entry.offset),
         table.wide(entry.bytes)}));
  }
  return table.list(entries);
}

Constant *TablesBuilder::emitLocations() {
  Constants entries;
  for (const SourceLocation &location : plan.locations.getEntries())
    entries.push_back(table.record<tg_location_t>(
        {table.word(sizeof(tg_location_t)), table.word(location.line),
         table.word(location.column), table.word(0),
         table.string(location.file), table.string(location.op),
         table.string(location.layer)}));
  return table.list(entries);
}

void TablesBuilder::emitConstants() {
  for (auto [number, tensor] : llvm::enumerate(plan.constants)) {
    llvm::ArrayRef<uint8_t> bytes(
        reinterpret_cast<const uint8_t *>(tensor.data()), tensor.getNumBytes());
    table.define(table.bytes(bytes), constantName(number), kAlignment);
  }
}

void TablesBuilder::emitChecks() {
  for (const auto &[kernel, check] : plan.kernels)
    if (check)
      table.record<tg_stub_check_t>(
          {table.word(check->status), table.word(check->location),
           table.dtype(check->elementType), table.string(check->what)},
          checkName(check->number));
}

Constant *TablesBuilder::emitValues(llvm::ArrayRef<ValuePlan> values) {
  Constants entries;
  for (const ValuePlan &value : values)
    entries.push_back(table.record<tg_value_t>(
        {table.word(sizeof(tg_value_t)),
         table.dtype(value.type.getElementType()), table.string(value.name),
         table.numbers(value.dims), table.word(value.dims.size()),
         table.word(0)}));
  return table.list(entries);
}

Constant *TablesBuilder::emitSymbols(const FunctionPlan &function) {
  tgx::FunctionOp op = function.op;
  // A step of training on nothing would change variables by NaN.
  bool writes = function.flags & TG_FUNCTION_WRITES_VARIABLES;
  Constants entries;
  for (auto name : op.getSymbols().getAsRange<mlir::StringAttr>())
    entries.push_back(table.record<tg_symbol_t>(
        {table.word(sizeof(tg_symbol_t)), table.word(0),
         table.string(name.getValue()), table.wide(writes ? 1 : 0),
         table.wide(kMaximumExtent), table.wide(1)}));
  return table.list(entries);
}

Constant *TablesBuilder::emitEntryChecks(const FunctionPlan &function) {
  Constants entries;
  for (const EntryCheckPlan &check : function.entryChecks)
    entries.push_back(table.record<tg_stub_entry_check_t>(
        {table.word(check.location), table.string(check.text)}));
  return table.list(entries);
}

Constant *TablesBuilder::emitFunction(const FunctionPlan &function,
                                      const Shared &shared, unsigned number,
                                      int level, Constant *model) {
  Constant *impl = table.record<tg_stub_function_t>(
      {model, table.external(sizesName(level, number)),
       table.external(bodyName(level, number)), shared.entryChecks,
       table.word(function.entryChecks.size())});
  return table.record<tg_function_t>(
      {table.word(sizeof(tg_function_t)), table.word(function.flags),
       table.string(function.name), shared.inputs, shared.outputs,
       shared.symbols, table.word(function.inputs.size()),
       table.word(function.outputs.size()), table.word(function.boundCount),
       table.word(function.symbolCount), table.wide(function.slabBytes),
       module.getFunction("tg_stub_plan"), module.getFunction("tg_stub_run"),
       impl});
}

Constant *TablesBuilder::emitModel(int level) {
  // Functions point to the table that they stand in.
  llvm::GlobalVariable *self = table.define(table.word(0), "");
  Constants functions;
  for (auto [number, function] : llvm::enumerate(plan.functions))
    functions.push_back(
        emitFunction(function, sharedLists[number], number, level, self));
  bool packs = !plan.packs.empty();
  Constant *impl =
      packs ? table.record<tg_stub_model_t>({table.external(packName(level))})
            : table.null();
  Constant *pack = packs ? module.getFunction("tg_stub_pack") : table.null();
  Constant *model =
      table.record<tg_model_t>({table.word(sizeof(tg_model_t)),
                                table.word(TG_ABI_VERSION),
                                table.word(level),
                                table.word(targetBits(options)),
                                table.wide(0),
                                table.string(options.modelName),
                                table.string(metadata),
                                table.wide(metadata.size()),
                                table.bytes(modelId(options)),
                                table.bytes(plan.slab.getId()),
                                table.list(functions),
                                variables,
                                locations,
                                table.word(plan.functions.size()),
                                table.word(plan.slab.getEntries().size()),
                                table.word(plan.locations.getEntries().size()),
                                table.word(kAlignment),
                                table.wide(plan.slabBytes()),
                                table.wide(plan.packedBytes),
                                pack,
                                impl});
  self->replaceAllUsesWith(model);
  self->eraseFromParent();
  return model;
}

void TablesBuilder::emitExport(llvm::ArrayRef<Constant *> models) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type *word = builder.getInt32Ty(), *pointer = builder.getPtrTy();
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(word, {word, word, pointer}, /*isVarArg=*/false),
      llvm::GlobalValue::ExternalLinkage, exportedName(options), module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  builder.CreateRet(builder.CreateCall(
      module.getFunction("tg_stub_model_get"),
      {function->getArg(0), function->getArg(1), function->getArg(2),
       table.list(models), builder.getInt32(models.size()),
       builder.getInt32(TG_ABI_VERSION)}));
}

void TablesBuilder::emit() {
  llvm::raw_string_ostream(metadata)
      << llvm::json::Value(describe(plan, options));
  variables = emitVariables();
  locations = emitLocations();
  emitConstants();
  emitChecks();
  for (const FunctionPlan &function : plan.functions)
    sharedLists.push_back({emitValues(function.inputs),
                           emitValues(function.outputs), emitSymbols(function),
                           emitEntryChecks(function)});
  Constants models;
  for (int level : options.levels)
    models.push_back(emitModel(level));
  emitExport(models);
}

void tg::emitTables(const ModelPlan &plan, const LibraryOptions &options,
                    llvm::Module &module) {
  TablesBuilder(plan, options, module).emit();
}
