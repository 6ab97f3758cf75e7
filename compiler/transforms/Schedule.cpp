//===- Schedule.cpp - buffers and launches in order -----------------------===//
#include "compiler/transforms/FunctionSymbols.h"
#include "compiler/transforms/FusionPlan.h"
#include "compiler/transforms/MemoryPlan.h"
#include "compiler/transforms/PartPlace.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/ScheduleGraph.h"
#include "compiler/transforms/Workspaces.h"
#include "dialects/tg/ConstantOps.h"
#include "dialects/tg/StateOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tg {
#define GEN_PASS_DEF_SCHEDULE
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
/// Builds the tgx.function of one func.func.
class FunctionScheduler {
public:
  FunctionScheduler(func::FuncOp function, FunctionSymbols &symbols,
                    const SymbolTable &module, int64_t alignment)
      : function(function), symbols(symbols), extents(symbols.getAnalysis()),
        module(module), alignment(alignment), graph(function, module, extents),
        builder(function), workspaces(graph, extents),
        temporaryBuffers(workspaces.temporaries.size()) {}

  tgx::FunctionOp run();
  int64_t arenaBytes = 0, lowerBoundBytes = 0;

private:
  void nameComputedSymbols();
  ArrayAttr describe(ValueRange values, ArrayRef<Attribute> names,
                     ArrayRef<Type> types);
  AffineMap mapOfBytes(Value value);
  void createWorkspaces();
  Type typeOf(FlatSymbolRefAttr variable);
  Value viewAs(Value value, Value buffer);
  Value bufferOf(Value value);
  Value bufferOf(const BufferAssignment &assignment, Value value);
  void emitStep(const Step &step);

  func::FuncOp function;
  FunctionSymbols &symbols;
  ExtentAnalysis &extents;
  const SymbolTable &module;
  int64_t alignment;
  ScheduleGraph graph;
  OpBuilder builder;
  SmallVector<std::string> symbolNames;
  llvm::SetVector<AffineExpr> computed;
  Workspaces workspaces;
  SmallVector<Value> temporaryBuffers;
  DenseMap<Value, Value> buffers;
  llvm::MapVector<Attribute, Value> slabBuffers;
};
} // namespace

static func::ReturnOp returnOf(func::FuncOp function) {
  return cast<func::ReturnOp>(function.getBody().front().getTerminator());
}

/// The tg.name of an argument or result.
static StringAttr nameOf(func::FuncOp function, unsigned number, bool result) {
  return result ? function.getResultAttrOfType<StringAttr>(number, "tg.name")
                : function.getArgAttrOfType<StringAttr>(number, "tg.name");
}

/// Extents of outputs that no input binds get symbols of their own.
void FunctionScheduler::nameComputedSymbols() {
  symbolNames.assign(symbols.getNames().begin(), symbols.getNames().end());
  for (auto [number, value] : llvm::enumerate(returnOf(function).getOperands()))
    for (auto [axis, extent] : llvm::enumerate(extents.extentsOf(value))) {
      if (isa<AffineConstantExpr, AffineSymbolExpr>(extent) ||
          !computed.insert(extent))
        continue;
      symbolNames.push_back(
          (nameOf(function, number, /*result=*/true).getValue() + "." +
           Twine(axis))
              .str());
    }
}

ArrayAttr FunctionScheduler::describe(ValueRange values,
                                      ArrayRef<Attribute> names,
                                      ArrayRef<Type> types) {
  SmallVector<Attribute> list;
  for (auto [value, name, type] : llvm::zip_equal(values, names, types))
    list.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("name", name),
         builder.getNamedAttr("type", TypeAttr::get(type)),
         builder.getNamedAttr("extents", AffineMapAttr::get(symbols.mapOf(
                                             extents.extentsOf(value))))}));
  return builder.getArrayAttr(list);
}

AffineMap FunctionScheduler::mapOfBytes(Value value) {
  return symbols.mapOf({extents.countBytes(value)});
}

void FunctionScheduler::createWorkspaces() {
  MemoryPlan plan = planMemory(workspaces.lifetimes, alignment);
  size_t count = workspaces.values.size();
  arenaBytes = count == 0 ? 0 : plan.bytes;
  lowerBoundBytes = plan.lowerBound;
  SmallVector<int64_t> idOf(count);
  SmallVector<Value> created(count);
  for (auto [id, workspace] : llvm::enumerate(plan.order)) {
    idOf[workspace] = id;
    SmallVector<int64_t> above;
    for (unsigned lower : plan.above[workspace])
      above.push_back(idOf[lower]);
    llvm::sort(above);
    Value value = workspaces.values[workspace];
    created[workspace] = tgx::WorkspaceOp::create(
        builder, value.getLoc(), value.getType(), builder.getI64IntegerAttr(id),
        AffineMapAttr::get(mapOfBytes(value)),
        builder.getDenseI64ArrayAttr(above));
  }
  for (auto [value, workspace] : workspaces.numberOf)
    buffers[value] = created[workspace];
  for (auto [temporary, workspace] : llvm::enumerate(workspaces.temporaries))
    temporaryBuffers[temporary] = created[workspace];
}

/// The type of a variable.
Type FunctionScheduler::typeOf(FlatSymbolRefAttr variable) {
  return module.lookup<VariableOp>(variable.getAttr()).getType();
}

/// The buffer, or a view of it with the type of `value`.
Value FunctionScheduler::viewAs(Value value, Value buffer) {
  if (buffer.getType() == value.getType())
    return buffer;
  return tgx::ViewOp::create(builder, value.getLoc(), value.getType(), buffer);
}

Value FunctionScheduler::bufferOf(const BufferAssignment &assignment,
                                  Value value) {
  Location loc = value.getLoc();
  switch (assignment.kind) {
  case BufferAssignment::input:
    return tgx::InputOp::create(builder, loc, value.getType(),
                                builder.getI64IntegerAttr(assignment.index));
  case BufferAssignment::output:
    return viewAs(value,
                  tgx::OutputOp::create(
                      builder, loc, function.getResultTypes()[assignment.index],
                      builder.getI64IntegerAttr(assignment.index)));
  case BufferAssignment::slab: {
    Value &buffer = slabBuffers[assignment.variable];
    if (!buffer)
      buffer = tgx::SlabOp::create(builder, loc, typeOf(assignment.variable),
                                   assignment.variable);
    return viewAs(value, buffer);
  }
  case BufferAssignment::constant: {
    auto constant = value.getDefiningOp<ConstantOp>();
    return tgx::ConstantOp::create(builder, loc, value.getType(),
                                   constant.getValue());
  }
  case BufferAssignment::packed:
    return tgx::PackedOp::create(
        builder, loc, value.getType(), assignment.variable,
        value.getDefiningOp<tgx::CallOp>().getKernelAttr());
  case BufferAssignment::workspace:
    return temporaryBuffers[assignment.index];
  }
  llvm_unreachable("all kinds return");
}

Value FunctionScheduler::bufferOf(Value value) {
  if (Value known = buffers.lookup(value))
    return known;
  Value root = withoutViews(value);
  PartPlace place = placeOf(value);
  Value buffer;
  if (place.join)
    buffer = tgx::PartOp::create(builder, value.getLoc(), value.getType(),
                                 bufferOf(place.memory), place.join.getAxis(),
                                 place.offset);
  else if (root == value)
    buffer = bufferOf(graph.assignmentOf(root), value);
  else
    buffer = tgx::ViewOp::create(builder, value.getLoc(), value.getType(),
                                 bufferOf(root));
  return buffers[value] = buffer;
}

void FunctionScheduler::emitStep(const Step &step) {
  if (tgx::CallOp call = step.call) {
    SmallVector<Value> inputs, outputs;
    for (Value input : call.getInputs())
      inputs.push_back(bufferOf(input));
    for (Value output : call.getOutputs())
      outputs.push_back(bufferOf(output));
    tgx::LaunchOp::create(builder, call.getLoc(), call.getKernelAttr(), inputs,
                          outputs, call.getExtentsAttr());
    return;
  }
  Value source =
      step.restored ? temporaryBuffers[*step.restored] : bufferOf(step.source);
  Value target = bufferOf(step.target, step.source);
  tgx::CopyOp::create(builder, step.source.getLoc(), source, target,
                      AffineMapAttr::get(mapOfBytes(step.source)));
}

tgx::FunctionOp FunctionScheduler::run() {
  nameComputedSymbols();
  SmallVector<Attribute> inputNames, outputNames, names;
  for (unsigned number = 0; number < function.getNumArguments(); ++number)
    inputNames.push_back(nameOf(function, number, /*result=*/false));
  for (unsigned number = 0; number < function.getNumResults(); ++number)
    outputNames.push_back(nameOf(function, number, /*result=*/true));
  auto role = function->getAttrOfType<StringAttr>("tg.role");
  SmallVector<StringRef> symbolList(symbolNames.begin(), symbolNames.end());
  auto scheduled = tgx::FunctionOp::create(
      builder, function.getLoc(), function.getSymNameAttr(),
      role ? role : builder.getStringAttr(""),
      builder.getStrArrayAttr(symbolList),
      AffineMapAttr::get(symbols.mapOf(computed.getArrayRef())),
      describe(function.getArguments(), inputNames,
               function.getArgumentTypes()),
      describe(returnOf(function).getOperands(), outputNames,
               function.getResultTypes()),
      /*arena_bytes=*/IntegerAttr(), /*lower_bound_bytes=*/IntegerAttr(),
      function->getAttrOfType<DictionaryAttr>(kRecomputed));
  builder.setInsertionPointToStart(&scheduled.getBody().emplaceBlock());
  for (auto check : function.getOps<tgx::EntryCheckOp>())
    builder.clone(*check);
  createWorkspaces();
  for (const Step &step : graph.getSteps())
    emitStep(step);
  return scheduled;
}

namespace {
struct Schedule : tg::impl::ScheduleBase<Schedule> {
  using ScheduleBase::ScheduleBase;

  void runOnOperation() override {
    SymbolTable module(getOperation());
    for (func::FuncOp function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (failed(verifyAllInKernels(function)))
        return signalPassFailure();
      auto &symbols = getChildAnalysis<FunctionSymbols>(function);
      if (failed(symbols.verify(function)))
        return signalPassFailure();
      FunctionScheduler scheduler(function, symbols, module, alignment);
      tgx::FunctionOp scheduled = scheduler.run();
      scheduled.setArenaBytes(scheduler.arenaBytes);
      scheduled.setLowerBoundBytes(scheduler.lowerBoundBytes);
      arenaBytes += scheduler.arenaBytes;
      function.erase();
    }
  }
};
} // namespace
