//===- PlanTables.cpp - the constant tables of a plan ---------------------===//
#include "compiler/library/tables/PlanTables.h"
#include "compiler/library/LibraryObjects.h"
#include "compiler/library/plan/FunctionProgram.h"
#include "compiler/library/tables/HostTables.h"
#include "compiler/library/tables/Metadata.h"
#include "compiler/library/tables/TableBuilder.h"
#include "compiler/library/tables/TargetTables.h"
#include "dialects/tg/ops/control/StateOps.h"
#include <map>

using namespace tg;
using llvm::Constant;
using Constants = llvm::SmallVector<Constant *>;

/// The tg_symbol_t.maximum of every symbol.
static constexpr int64_t kMaximumExtent = int64_t(1) << 40;

/// Returns the flags of the tables of a plan. All its targets compute the same
/// bits if all of them have fused multiply-adds.
static uint64_t flagsOf(const ModelPlan &plan) {
  uint64_t flags = plan.trapsNan ? TG_MODEL_TRAPS_NAN : 0;
  bool haveSameBits = llvm::all_of(plan.targets, [&](const Target &target) {
    return plan.backend->describe(target).fusesProducts;
  });
  return haveSameBits ? flags | TG_MODEL_SAME_BITS : flags;
}

namespace {
/// Builds the tables of the targets of a plan.
class PlanTables {
public:
  /// `targetBits` is the tg_model_t.targets of the library.
  PlanTables(const ModelPlan &plan, const LibraryOptions &options,
             uint32_t targetBits, TableBuilder &table)
      : plan(plan), options(options), targetBits(targetBits), table(table) {}

  /// Adds the table of each target to `models`. Emits a diagnostic and fails if
  /// a limit of the tables is exceeded.
  llvm::LogicalResult emit(Constants &models);

private:
  Constant *emitVariables();
  Constant *emitLocations();
  void emitConstants();
  void emitConstantBlock();
  void emitChecks();
  Constant *emitValues(llvm::ArrayRef<ValuePlan> values);
  Constant *emitSymbols(const FunctionPlan &function);
  Constant *emitEntryChecks(const FunctionPlan &function);
  Constant *emitSteps(const FunctionPlan &function);
  Constant *emitProgram(const FunctionProgram &program);
  Constant *emitPacks();
  /// The tables of a function that all targets share.
  struct FunctionLists {
    Constant *inputs, *outputs, *symbols, *entryChecks, *steps, *hostNeeds,
        *program;
    uint32_t cellCount;
    int64_t hostBlockBytes;
  };
  Constant *emitFunction(const FunctionPlan &function,
                         const FunctionLists &lists, unsigned index, int level,
                         Constant *model);
  /// Emits the table of one target.
  Constant *emitModel(const Target &target);

  const ModelPlan &plan;
  const LibraryOptions &options;
  uint32_t targetBits;
  TableBuilder &table;
  Constant *variables = nullptr, *locations = nullptr, *packs = nullptr;
  /// The constants and checks by their index in the plan.
  Constants constants, checks;
  /// All constants, which a device gets a copy of; null for a CPU.
  Constant *constantBlock = nullptr;
  uint64_t constantBytes = 0;
  std::string metadata;
  std::vector<FunctionLists> functionLists;
};
} // namespace

Constant *PlanTables::emitVariables() {
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

Constant *PlanTables::emitLocations() {
  Constants entries;
  for (const SourceLocation &location : plan.locations.getEntries())
    entries.push_back(table.record<tg_location_t>(
        {table.word(sizeof(tg_location_t)), table.word(location.line),
         table.word(location.column), table.word(0),
         table.string(location.file), table.string(location.op),
         table.string(location.layer)}));
  return table.list(entries);
}

void PlanTables::emitConstantBlock() {
  uint64_t alignment = plan.backend->describe(plan.targets.front()).alignment;
  std::vector<uint8_t> block;
  llvm::SmallVector<uint64_t> offsets;
  for (const HostTensor &tensor : plan.constants) {
    block.resize(llvm::alignTo(block.size(), alignment));
    offsets.push_back(block.size());
    const auto *bytes = reinterpret_cast<const uint8_t *>(tensor.data());
    block.insert(block.end(), bytes, bytes + tensor.getNumBytes());
  }
  constantBytes = block.size();
  constantBlock = block.empty()
                      ? table.null()
                      : table.define(table.bytes(block), "", alignment);
  for (uint64_t offset : offsets)
    constants.push_back(table.at(constantBlock, offset));
}

void PlanTables::emitConstants() {
  if (plan.isForDevice())
    return emitConstantBlock();
  for (const HostTensor &tensor : plan.constants) {
    llvm::ArrayRef<uint8_t> bytes(
        reinterpret_cast<const uint8_t *>(tensor.data()), tensor.getNumBytes());
    constants.push_back(table.define(table.bytes(bytes), "", tgx::kAlignment));
  }
}

void PlanTables::emitChecks() {
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

Constant *PlanTables::emitValues(llvm::ArrayRef<ValuePlan> values) {
  Constants entries;
  for (const ValuePlan &value : values)
    entries.push_back(table.record<tg_value_t>(
        {table.word(sizeof(tg_value_t)),
         table.dtype(value.type.getElementType()), table.string(value.name),
         table.numbers(value.dims), table.word(value.dims.size()),
         table.word(value.flags)}));
  return table.list(entries);
}

Constant *PlanTables::emitSymbols(const FunctionPlan &function) {
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

Constant *PlanTables::emitEntryChecks(const FunctionPlan &function) {
  Constants entries;
  for (const EntryCheckPlan &check : function.checks)
    entries.push_back(table.record<tg_embedded_entry_check_t>(
        {table.word(check.location), table.string(check.text)}));
  return table.list(entries);
}

Constant *PlanTables::emitSteps(const FunctionPlan &function) {
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

Constant *PlanTables::emitProgram(const FunctionProgram &program) {
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
       emitHostSteps(program, table),
       table.word(program.hostSteps.size()),
       table.word(program.registerCount),
       program.exact.empty() ? table.null() : table.data(program.exact),
       table.word(program.firstDataDependentNumber),
       table.word(0),
       table.data(program.firstResults),
       table.data(program.results),
       table.data(program.grids)});
}

Constant *PlanTables::emitPacks() {
  std::vector<tg_embedded_pack_t> entries;
  for (const PackPlan &pack : plan.packs)
    entries.push_back({plan.slab.lookup(pack.variable).offset, pack.offset,
                       plan.indexOf(pack.kernel), /*reserved=*/0});
  return table.data(entries);
}

Constant *PlanTables::emitFunction(const FunctionPlan &function,
                                   const FunctionLists &lists, unsigned index,
                                   int level, Constant *model) {
  bool isForDevice = plan.isForDevice();
  Constant *impl = table.record<tg_embedded_function_t>(
      {model,
       table.external(isForDevice ? "tg_embedded_device_sizes"
                                  : "tg_embedded_program_sizes"),
       table.external(isForDevice ? "tg_embedded_device_body"
                                  : "tg_embedded_program_body"),
       lists.entryChecks, lists.program,
       table.external(functionTargetName(level, index)),
       table.word(function.entryCheckCount), table.word(lists.cellCount),
       table.wide(lists.hostBlockBytes),
       isForDevice ? table.external("tg_embedded_check_device")
                   : table.null()});
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

Constant *PlanTables::emitModel(const Target &target) {
  int level = target.level;
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
  DeviceRequirement device = {0, 0};
  if (plan.isForDevice())
    device = plan.backend->getDeviceCode()->getRequirement(target);
  Constant *model = table.record<tg_model_t>(
      {table.word(sizeof(tg_model_t)),
       table.word(plan.abiVersion()),
       table.word(level),
       table.word(targetBits),
       table.wide(flagsOf(plan)),
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
       table.word(plan.backend->describe(target).alignment),
       table.wide(plan.slabBytes()),
       table.wide(plan.packedBytes),
       pack,
       impl,
       device.type ? table.external(imagesName(level)) : table.null(),
       device.type ? constantBlock : table.null(),
       table.wide(constantBytes),
       table.word(device.type ? 1 + plan.customKernels.size() : 0),
       table.word(device.type),
       table.word(device.capability),
       table.word(0)});
  self->replaceAllUsesWith(model);
  self->eraseFromParent();
  return model;
}

llvm::LogicalResult PlanTables::emit(Constants &models) {
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
         emitHostNeeds(function, table), emitProgram(*program),
         program->cellCount, program->hostBlockBytes});
  }
  for (const Target &target : plan.targets)
    models.push_back(emitModel(target));
  return llvm::success();
}

llvm::LogicalResult tg::emitPlanTables(const ModelPlan &plan,
                                       const LibraryOptions &options,
                                       uint32_t targetBits, TableBuilder &table,
                                       Constants &models) {
  return PlanTables(plan, options, targetBits, table).emit(models);
}
