//===- ScheduleFunctions.cpp - buffers and launches in order --------------===//
#include "compiler/target/PlanTarget.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/fusion/FusionPlan.h"
#include "compiler/transforms/memory/MemoryPlan.h"
#include "compiler/transforms/memory/PartPlace.h"
#include "compiler/transforms/schedule/ScheduleGraph.h"
#include "compiler/transforms/schedule/ScheduledFunction.h"
#include "compiler/transforms/schedule/Workspaces.h"
#include "compiler/transforms/shapes/DataDependentSymbols.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

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
        block(&graph), builder(function), workspaces(graph, extents),
        temporaryBuffers(workspaces.temporaries.size()) {}

  tgx::FunctionOp run();
  int64_t arenaBytes = 0, lowerBoundBytes = 0;

private:
  AffineMap mapOfBytes(Value value);
  void createWorkspaces();
  Type typeOf(FlatSymbolRefAttr variable);
  Value viewAs(Value value, Value buffer);
  Value bufferOf(Value value);
  Value bufferOf(const BufferAssignment &assignment, Value value);
  void emitChecks(Block &from);
  void emitMeasure(tgx::MeasureOp measure);
  void emitOp(const Step &step);
  Value elementOf(const BufferAssignment &assignment, Value value);
  void insertOutsideLoops(Value source);
  void insertForView(Value value, Value root, Value viewed);
  void emitSteps();
  void emitStep(const Step &step);
  void emitRegions(Operation *control, Operation *emitted);
  void emitLoop(ScanOp scan);
  void emitLoop(WhileOp loop);
  void emitBranch(IfOp branch);

  func::FuncOp function;
  FunctionSymbols &symbols;
  ExtentAnalysis &extents;
  const SymbolTable &module;
  int64_t alignment;
  ScheduleGraph graph;
  /// The graph of the block whose steps are emitted.
  const ScheduleGraph *block;
  /// The outermost loop or branch around these steps; null outside.
  Operation *outermost = nullptr;
  /// The emitted bodies of loops.
  DenseMap<Operation *, Block *> bodies;
  OpBuilder builder;
  /// The symbols that were measured, and the checks that were emitted.
  llvm::DenseSet<unsigned> measured;
  llvm::DenseSet<Operation *> checked;
  Workspaces workspaces;
  SmallVector<Value> temporaryBuffers;
  DenseMap<Value, Value> buffers;
  llvm::MapVector<Attribute, Value> slabBuffers;
};
} // namespace

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
  for (auto [value, workspace] : workspaces.indexOf)
    buffers[value] = created[workspace];
  for (auto [temporary, workspace] : llvm::enumerate(workspaces.temporaries))
    temporaryBuffers[temporary] = created[workspace];
}

/// Returns the type of a variable.
Type FunctionScheduler::typeOf(FlatSymbolRefAttr variable) {
  return module.lookup<VariableOp>(variable.getAttr()).getType();
}

/// Returns the buffer, or a view of it with the type of `value`.
Value FunctionScheduler::viewAs(Value value, Value buffer) {
  if (buffer.getType() == value.getType())
    return buffer;
  OpBuilder::InsertionGuard guard(builder);
  insertOutsideLoops(buffer);
  return tgx::ViewOp::create(builder, value.getLoc(), value.getType(), buffer);
}

/// Moves the insertion point to where a loop-invariant buffer can be created:
/// before the outermost loop, or after the loop element that it is derived
/// from.
void FunctionScheduler::insertOutsideLoops(Value source) {
  if (!outermost)
    return;
  Operation *producer = source ? source.getDefiningOp() : nullptr;
  if (producer && producer->getParentOp() != outermost->getParentOp())
    builder.setInsertionPointAfter(producer);
  else
    builder.setInsertionPoint(outermost);
}

/// Moves the insertion point to where a view of `viewed`, the buffer of `root`,
/// can be created. If only a check in the branch or loop of the value shows
/// that the view has as many bytes as its memory, the view must come after that
/// check.
void FunctionScheduler::insertForView(Value value, Value root, Value viewed) {
  Block *body = bodies.lookup(value.getParentBlock()->getParentOp());
  if (!body || extents.countBytes(value) == extents.countBytes(root))
    return insertOutsideLoops(viewed);
  Operation *producer = viewed.getDefiningOp();
  if (producer->getBlock() == body)
    builder.setInsertionPointAfter(producer);
  else
    builder.setInsertionPointToStart(body);
}

Value FunctionScheduler::elementOf(const BufferAssignment &assignment,
                                   Value value) {
  Value whole = bufferOf(assignment.owner);
  auto type = cast<RankedTensorType>(whole.getType());
  Type element = type.clone(type.getShape().drop_front());
  // A stacked value may be a view of the computed value.
  if (succeeded(verifyCompatibleShape(element, value.getType())))
    element = value.getType();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(bodies.lookup(assignment.loop));
  Value buffer = tgx::ElementOp::create(builder, value.getLoc(), element, whole,
                                        AffineMapAttr::get(mapOfBytes(value)));
  return viewAs(value, buffer);
}

Value FunctionScheduler::bufferOf(const BufferAssignment &assignment,
                                  Value value) {
  Location loc = value.getLoc();
  if (assignment.kind == BufferAssignment::carried)
    return viewAs(value, bufferOf(assignment.owner));
  if (assignment.kind == BufferAssignment::element)
    return elementOf(assignment, value);
  OpBuilder::InsertionGuard guard(builder);
  insertOutsideLoops({});
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
  case BufferAssignment::carried:
  case BufferAssignment::element:
    break;
  }
  llvm_unreachable("all kinds return");
}

Value FunctionScheduler::bufferOf(Value value) {
  if (Value known = buffers.lookup(value))
    return known;
  Value root = withoutViews(value);
  PartPlace place = placeOf(value);
  Value buffer;
  if (place.join) {
    Value whole = bufferOf(place.memory);
    OpBuilder::InsertionGuard guard(builder);
    insertOutsideLoops(whole);
    buffer = tgx::PartOp::create(builder, value.getLoc(), value.getType(),
                                 whole, place.join.getAxis(), place.offset);
  } else if (root == value) {
    buffer = bufferOf(block->assignmentOf(root), value);
  } else {
    Value viewed = bufferOf(root);
    OpBuilder::InsertionGuard guard(builder);
    insertForView(value, root, viewed);
    buffer =
        tgx::ViewOp::create(builder, value.getLoc(), value.getType(), viewed);
  }
  return buffers[value] = buffer;
}

void FunctionScheduler::emitLoop(ScanOp scan) {
  AffineExpr length;
  if (scan.getLength())
    length = builder.getAffineConstantExpr(*scan.getLength());
  else
    length = extents.extentsOf(scan.getInputs().front()).front();
  auto loop = tgx::ForOp::create(builder, scan.getLoc(),
                                 AffineMapAttr::get(symbols.mapOf({length})),
                                 scan.getReverseAttr());
  emitRegions(scan, loop);
}

/// Emits a `while`. Its condition is a carried value, or a value from outside.
void FunctionScheduler::emitLoop(WhileOp loop) {
  Value flag = loop.getCondition().front().getTerminator()->getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(flag);
      argument && argument.getOwner() == &loop.getCondition().front())
    flag = loop.getResult(argument.getArgNumber());
  auto emitted = tgx::WhileOp::create(builder, loop.getLoc(), bufferOf(flag),
                                      loop.getMaxTripAttr());
  emitRegions(loop, emitted);
}

void FunctionScheduler::emitBranch(IfOp branch) {
  emitRegions(branch, tgx::IfOp::create(builder, branch.getLoc(),
                                        bufferOf(branch.getCondition())));
}

void FunctionScheduler::emitRegions(Operation *control, Operation *emitted) {
  bool isOutermost = !outermost;
  if (isOutermost)
    outermost = emitted;
  for (auto [graph, region] :
       llvm::zip_equal(block->regionsOf(control), emitted->getRegions())) {
    Block &target = region.emplaceBlock();
    bodies[control] = &target;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&target);
    const ScheduleGraph *enclosing = std::exchange(block, graph.get());
    emitSteps();
    block = enclosing;
  }
  if (isOutermost)
    outermost = nullptr;
}

/// Emits the checks of a block that are not emitted yet and whose numbers are
/// known: all their symbols are bound by inputs or were measured.
void FunctionScheduler::emitChecks(Block &from) {
  for (auto check : from.getOps<tgx::ExtentCheckOpInterface>()) {
    bool isKnown = true;
    for (AffineMap number : {check.getFound(), check.getExpected()})
      forEachSymbol(number.getResult(0), [&](unsigned symbol) {
        isKnown &=
            symbol < symbols.getBoundCount() || measured.contains(symbol);
      });
    if (isKnown && checked.insert(check).second)
      builder.clone(*check);
  }
}

void FunctionScheduler::emitMeasure(tgx::MeasureOp measure) {
  tgx::MeasureOp::create(
      builder, measure.getLoc(), bufferOf(measure.getNumber()),
      measure.getSymbolAttr(),
      AffineMapAttr::get(symbols.mapOf({measure.getMost().getResult(0)})),
      measure.getWhatAttr(), measure.getOpNameAttr(), measure.getLabelAttr());
  measured.insert(measure.getSymbol());
  emitChecks(*measure->getBlock());
}

void FunctionScheduler::emitSteps() {
  emitChecks(block->getBlock());
  for (const Step &step : block->getSteps())
    emitStep(step);
}

/// Emits a launch or a host call.
void FunctionScheduler::emitOp(const Step &step) {
  SmallVector<Value> inputs, outputs;
  for (Value input : step.getInputs())
    inputs.push_back(bufferOf(input));
  for (Value output : step.getOutputs())
    outputs.push_back(bufferOf(output));
  if (tgx::CallOp call = step.getCall()) {
    tgx::LaunchOp::create(builder, call.getLoc(), call.getKernelAttr(), inputs,
                          outputs, call.getExtentsAttr());
    return;
  }
  HostOpInterface host = step.getHost();
  SmallVector<AffineExpr> dims;
  for (const auto &values : {step.getInputs(), step.getOutputs()})
    for (Value value : values)
      llvm::append_range(dims, extents.extentsOf(value));
  tgx::HostOp::create(
      builder, host.getLoc(),
      builder.getStringAttr(stringifyHostAction(host.getHostAction())),
      builder.getStringAttr(host.getHostText()), inputs, outputs,
      AffineMapAttr::get(symbols.mapOf(dims)), host.getDeviceKernel());
}

void FunctionScheduler::emitStep(const Step &step) {
  if (RegionOpInterface control = step.getControl()) {
    llvm::TypeSwitch<Operation *>(control)
        .Case([&](ScanOp scan) { emitLoop(scan); })
        .Case([&](WhileOp loop) { emitLoop(loop); })
        .Case([&](IfOp branch) { emitBranch(branch); });
    return;
  }
  if (auto measure = dyn_cast_if_present<tgx::MeasureOp>(step.op))
    return emitMeasure(measure);
  if (step.op)
    return emitOp(step);
  Value source =
      step.restored ? temporaryBuffers[*step.restored] : bufferOf(step.source);
  Value target = bufferOf(step.target, step.source);
  Location loc = step.source.getLoc();
  if (step.isSwap)
    tgx::SwapOp::create(builder, loc, source, target);
  else
    tgx::CopyOp::create(builder, loc, source, target,
                        AffineMapAttr::get(mapOfBytes(step.source)));
}

tgx::FunctionOp FunctionScheduler::run() {
  tgx::FunctionOp scheduled =
      createScheduledFunction(builder, function, symbols);
  builder.setInsertionPointToStart(&scheduled.getBody().emplaceBlock());
  emitChecks(function.getBody().front());
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
    int64_t alignment = PlanTarget(getOperation()).getDescription().alignment;
    for (func::FuncOp function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (failed(verifyAllInKernels(function)))
        return signalPassFailure();
      auto &symbols = getChildAnalysis<FunctionSymbols>(function);
      if (failed(symbols.verify(function)))
        return signalPassFailure();
      FunctionScheduler scheduler(function, symbols, module, alignment);
      tgx::FunctionOp scheduled = scheduler.run();
      scheduled.setAlignment(alignment);
      scheduled.setArenaBytes(scheduler.arenaBytes);
      scheduled.setLowerBoundBytes(scheduler.lowerBoundBytes);
      arenaBytes += scheduler.arenaBytes;
      function.erase();
    }
  }
};
} // namespace
