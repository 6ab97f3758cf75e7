//===- Tables.cpp - the constant tables of a library ----------------------===//
#include "compiler/library/tables/Tables.h"
#include "compiler/library/LibraryObjects.h"
#include "compiler/library/plan/FunctionProgram.h"
#include "compiler/library/tables/Metadata.h"
#include "compiler/library/tables/TableBuilder.h"
#include "compiler/library/tables/TargetTables.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "llvm/IR/IRBuilder.h"
#include <map>

using namespace tg;
using llvm::Constant;
using Constants = llvm::SmallVector<Constant *>;

/// The tg_symbol_t.maximum of every symbol.
static constexpr int64_t kMaximumExtent = int64_t(1) << 40;

std::string tg::exportedName(const LibraryOptions &options) {
  if (options.symbolPrefix.empty())
    return TG_MODEL_SYMBOL;
  return options.symbolPrefix + "_" TG_MODEL_SYMBOL;
}

/// Returns the flags of a library. All targets compute the same bits if all of
/// them have fused multiply-adds.
static uint64_t flagsOf(const ModelPlan &plan, const LibraryOptions &options) {
  uint64_t flags = plan.trapsNan ? TG_MODEL_TRAPS_NAN : 0;
  bool haveSameBits = llvm::all_of(options.levels, [&](int level) {
    return backendOf(options).describe(targetOf(options, level)).fusesProducts;
  });
  return haveSameBits ? flags | TG_MODEL_SAME_BITS : flags;
}

uint32_t tg::targetBits(const LibraryOptions &options) {
  uint32_t bits = 0;
  for (int level : options.levels)
    bits |= 1u << level;
  return bits;
}

namespace {
/// Builds the tables of one library.
class TablesBuilder {
public:
  TablesBuilder(const ModelPlan &plan, const LibraryOptions &options,
                llvm::Module &module)
      : plan(plan), options(options), module(module), table(module) {}

  /// Emits a diagnostic and fails if a limit of the tables is exceeded.
  llvm::LogicalResult emit();

private:
  Constant *emitVariables();
  Constant *emitLocations();
  void emitConstants();
  void emitChecks();
  Constant *emitValues(llvm::ArrayRef<ValuePlan> values);
  Constant *emitSymbols(const FunctionPlan &function);
  Constant *emitEntryChecks(const FunctionPlan &function);
  Constant *emitSteps(const FunctionPlan &function);
  Constant *emitHostValues(llvm::ArrayRef<mlir::RankedTensorType> types);
  Constant *emitHostNeeds(const FunctionPlan &function);
  Constant *emitHostSteps(const FunctionProgram &program);
  Constant *emitProgram(const FunctionProgram &program);
  Constant *emitPacks();
  /// The tables of a function that all ISA levels share.
  struct FunctionLists {
    Constant *inputs, *outputs, *symbols, *entryChecks, *steps, *hostNeeds,
        *program;
    uint32_t cellCount;
  };
  Constant *emitFunction(const FunctionPlan &function,
                         const FunctionLists &lists, unsigned index, int level,
                         Constant *model);
  /// Emits the table of one ISA level.
  Constant *emitModel(int level);
  void emitExport(llvm::ArrayRef<Constant *> models);

  const ModelPlan &plan;
  const LibraryOptions &options;
  llvm::Module &module;
  TableBuilder table;
  Constant *variables = nullptr, *locations = nullptr, *packs = nullptr;
  /// The constants and checks by their index in the plan.
  Constants constants, checks;
  std::string metadata;
  std::vector<FunctionLists> functionLists;
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
  for (const HostTensor &tensor : plan.constants) {
    llvm::ArrayRef<uint8_t> bytes(
        reinterpret_cast<const uint8_t *>(tensor.data()), tensor.getNumBytes());
    constants.push_back(table.define(table.bytes(bytes), "", tgx::kAlignment));
  }
}

void TablesBuilder::emitChecks() {
  checks.resize(plan.checkCount);
  for (const auto &[kernel, list] : plan.kernels)
    for (const KernelCheckPlan &check : list) {
      Constants messages;
      for (const std::string &message : check.messages)
        messages.push_back(table.string(message));
      checks[check.index] = table.record<tg_embedded_check_t>(
          {table.word(check.status), table.word(check.location),
           table.word(check.firstCell), table.word(check.messages.size()),
           table.list(messages), table.word(bool(check.bound)), table.word(0)});
    }
}

Constant *TablesBuilder::emitValues(llvm::ArrayRef<ValuePlan> values) {
  Constants entries;
  for (const ValuePlan &value : values)
    entries.push_back(table.record<tg_value_t>(
        {table.word(sizeof(tg_value_t)),
         table.dtype(value.type.getElementType()), table.string(value.name),
         table.numbers(value.dims), table.word(value.dims.size()),
         table.word(value.flags)}));
  return table.list(entries);
}

Constant *TablesBuilder::emitSymbols(const FunctionPlan &function) {
  tgx::FunctionOp op = function.op;
  // A training step on an empty batch would turn variables into NaN.
  bool writes = function.flags & TG_FUNCTION_WRITES_VARIABLES;
  Constants entries;
  for (auto [index, name] :
       llvm::enumerate(op.getSymbols().getAsRange<mlir::StringAttr>())) {
    bool isDataDependent = function.isDataDependent[index];
    entries.push_back(table.record<tg_symbol_t>(
        {table.word(sizeof(tg_symbol_t)),
         table.word(isDataDependent ? TG_SYMBOL_FOUND : 0),
         table.string(name.getValue()),
         table.wide(writes && !isDataDependent ? 1 : 0),
         table.wide(kMaximumExtent), table.wide(1)}));
  }
  return table.list(entries);
}

Constant *TablesBuilder::emitEntryChecks(const FunctionPlan &function) {
  Constants entries;
  for (const EntryCheckPlan &check : function.checks)
    entries.push_back(table.record<tg_embedded_entry_check_t>(
        {table.word(check.location), table.string(check.text)}));
  return table.list(entries);
}

Constant *TablesBuilder::emitSteps(const FunctionPlan &function) {
  // Equal steps share one entry.
  Constants entries;
  std::map<std::tuple<std::string, std::string, std::string, unsigned>,
           Constant *>
      known;
  for (const StepPlan &step : function.steps) {
    Constant *&entry = known[{step.name, step.ops, step.layers, step.location}];
    if (!entry)
      entry = table.record<tg_step_t>(
          {table.word(sizeof(tg_step_t)), table.word(step.location),
           table.string(step.name), table.string(step.ops),
           table.string(step.layers)});
    entries.push_back(entry);
  }
  return table.list(entries);
}

Constant *
TablesBuilder::emitHostValues(llvm::ArrayRef<mlir::RankedTensorType> types) {
  Constants entries;
  for (mlir::RankedTensorType type : types) {
    llvm::SmallVector<int64_t> dims(type.getShape());
    for (int64_t &dim : dims)
      dim = std::max<int64_t>(dim, -1);
    entries.push_back(table.record<tg_host_value_t>(
        {table.word(sizeof(tg_host_value_t)),
         table.dtype(type.getElementType()), table.numbers(dims),
         table.word(type.getRank()), table.word(0)}));
  }
  return table.list(entries);
}

Constant *TablesBuilder::emitHostNeeds(const FunctionPlan &function) {
  Constants entries;
  for (const HostNeedPlan &need : function.hostNeeds)
    entries.push_back(table.record<tg_host_need_t>(
        {table.word(sizeof(tg_host_need_t)), table.word(need.location),
         table.string(need.name), emitHostValues(need.inputs),
         emitHostValues(need.outputs), table.word(need.inputs.size()),
         table.word(need.outputs.size())}));
  return table.list(entries);
}

Constant *TablesBuilder::emitHostSteps(const FunctionProgram &program) {
  Constants entries;
  for (const HostStep &step : program.hostSteps)
    entries.push_back(table.record<tg_embedded_host_step_t>(
        {table.word(step.action), table.word(step.location),
         table.string(step.text), table.data(step.values),
         table.word(step.inputCount), table.word(step.outputCount),
         table.word(step.staging), table.word(0)}));
  return table.list(entries);
}

Constant *TablesBuilder::emitProgram(const FunctionProgram &program) {
  auto select = [](auto indices, const Constants &from) {
    return llvm::map_to_vector(indices,
                               [&](unsigned index) { return from[index]; });
  };
  auto checkIndices = llvm::map_range(
      program.checks, [](const ProgramCheck &check) { return check.index; });
  return table.record<tg_embedded_program_t>(
      {table.data(program.expressions.getWords()),
       table.data(program.computed),
       table.data(program.relations),
       table.data(program.buffers),
       table.data(program.belowEnds),
       table.list(select(llvm::ArrayRef(program.constants), constants)),
       table.data(program.numbers),
       table.data(program.slots),
       table.data(program.steps),
       table.list(select(checkIndices, checks)),
       table.wide(program.arenaBytes),
       table.wide(program.headerBytes),
       table.word(program.flops),
       table.word(program.traffic),
       table.word(program.buffers.size()),
       table.word(program.constants.size()),
       table.word(program.numbers.size()),
       table.word(program.steps.size()),
       table.word(program.baseCount),
       table.word(program.alignment),
       table.data(program.costs),
       emitHostSteps(program),
       table.word(program.hostSteps.size()),
       table.word(program.registerCount),
       program.exact.empty() ? table.null() : table.data(program.exact),
       table.word(program.firstDataDependentNumber),
       table.word(0),
       table.data(program.firstResults),
       table.data(program.results)});
}

Constant *TablesBuilder::emitPacks() {
  std::vector<tg_embedded_pack_t> entries;
  for (const PackPlan &pack : plan.packs)
    entries.push_back({plan.slab.lookup(pack.variable).offset, pack.offset,
                       plan.indexOf(pack.kernel), /*reserved=*/0});
  return table.data(entries);
}

Constant *TablesBuilder::emitFunction(const FunctionPlan &function,
                                      const FunctionLists &lists,
                                      unsigned index, int level,
                                      Constant *model) {
  Constant *impl = table.record<tg_embedded_function_t>(
      {model, table.external("tg_embedded_program_sizes"),
       table.external("tg_embedded_program_body"), lists.entryChecks,
       lists.program, table.external(functionTargetName(level, index)),
       table.word(function.entryCheckCount), table.word(lists.cellCount),
       table.wide(0)});
  return table.record<tg_function_t>(
      {table.word(sizeof(tg_function_t)), table.word(function.flags),
       table.string(function.name), lists.inputs, lists.outputs, lists.symbols,
       table.word(function.inputs.size()), table.word(function.outputs.size()),
       table.word(function.boundCount), table.word(function.symbolCount),
       table.wide(function.slabBytes), table.external("tg_embedded_plan"),
       table.external("tg_embedded_run"), impl, lists.steps,
       function.steps.empty() ? table.null()
                              : table.external("tg_embedded_program_costs"),
       table.word(function.steps.size()), table.word(function.hostNeeds.size()),
       lists.hostNeeds});
}

Constant *TablesBuilder::emitModel(int level) {
  // Functions point to the model table that contains them.
  llvm::GlobalVariable *self = table.define(table.word(0), "");
  Constants functions;
  for (auto [index, function] : llvm::enumerate(plan.functions))
    functions.push_back(
        emitFunction(function, functionLists[index], index, level, self));
  Constant *impl = table.null();
  Constant *pack = table.null();
  if (!plan.packs.empty()) {
    impl = table.record<tg_embedded_model_t>(
        {table.external("tg_embedded_program_pack"),
         table.external(kernelsName(level)), packs,
         table.word(plan.packs.size()), table.word(0)});
    pack = table.external("tg_embedded_pack");
  }
  Constant *model =
      table.record<tg_model_t>({table.word(sizeof(tg_model_t)),
                                table.word(plan.abiVersion()),
                                table.word(level),
                                table.word(targetBits(options)),
                                table.wide(flagsOf(plan, options)),
                                table.string(options.modelName),
                                table.string(metadata),
                                table.wide(metadata.size()),
                                table.bytes(modelId(plan, options)),
                                table.bytes(plan.slab.getId()),
                                table.list(functions),
                                variables,
                                locations,
                                table.word(plan.functions.size()),
                                table.word(plan.slab.getEntries().size()),
                                table.word(plan.locations.getEntries().size()),
                                table.word(tgx::kAlignment),
                                table.wide(plan.slabBytes()),
                                table.wide(plan.packedBytes),
                                pack,
                                impl,
                                table.null(),
                                table.null(),
                                table.wide(0),
                                table.word(0),
                                table.word(0),
                                table.word(0),
                                table.word(0)});
  self->replaceAllUsesWith(model);
  self->eraseFromParent();
  return model;
}

void TablesBuilder::emitExport(llvm::ArrayRef<Constant *> models) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type *word = builder.getInt32Ty();
  llvm::Type *pointer = builder.getPtrTy();
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(word, {word, word, pointer}, /*isVarArg=*/false),
      llvm::GlobalValue::ExternalLinkage, exportedName(options), module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  auto *type = llvm::FunctionType::get(
      word, {word, word, pointer, pointer, word}, /*isVarArg=*/false);
  builder.CreateRet(builder.CreateCall(
      type, table.external("tg_embedded_model_get"),
      {function->getArg(0), function->getArg(1), function->getArg(2),
       table.list(models), builder.getInt32(models.size())}));
}

llvm::LogicalResult TablesBuilder::emit() {
  llvm::raw_string_ostream(metadata)
      << llvm::json::Value(describe(plan, options));
  variables = emitVariables();
  locations = emitLocations();
  emitConstants();
  emitChecks();
  packs = emitPacks();
  for (const FunctionPlan &function : plan.functions) {
    llvm::FailureOr<FunctionProgram> program =
        FunctionProgram::create(function, plan);
    if (llvm::failed(program))
      return llvm::failure();
    functionLists.push_back(
        {emitValues(function.inputs), emitValues(function.outputs),
         emitSymbols(function), emitEntryChecks(function), emitSteps(function),
         emitHostNeeds(function), emitProgram(*program), program->cellCount});
  }
  Constants models;
  for (int level : options.levels)
    models.push_back(emitModel(level));
  emitExport(models);
  return llvm::success();
}

llvm::LogicalResult tg::emitTables(const ModelPlan &plan,
                                   const LibraryOptions &options,
                                   llvm::Module &module) {
  return TablesBuilder(plan, options, module).emit();
}
