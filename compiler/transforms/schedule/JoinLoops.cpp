//===- JoinLoops.cpp - independent loops in one launch --------------------===//
#include "compiler/target/PlanTarget.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/loops/NestedBlocks.h"
#include "compiler/transforms/schedule/JoinedLoops.h"
#include "compiler/transforms/schedule/ScheduleGraph.h"
#include "compiler/transforms/schedule/UncheckedKernels.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "llvm/ADT/StringMap.h"

namespace tg {
#define GEN_PASS_DEF_JOINLOOPS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
/// Joins the loops of the functions of a module.
class LoopJoiner {
public:
  LoopJoiner(ModuleOp module, int64_t slots)
      : kernels(module), module(module), slots(slots) {
    module.walk([&](tgx::CallOp call) { ++callCounts[call.getKernelAttr()]; });
  }

  void visit(func::FuncOp function, const FunctionSymbols &symbols);
  void eraseUnusedKernels();
  unsigned joined = 0;

private:
  std::optional<LoopCall> findLoop(Operation &op);
  void joinLast(Block &block);
  void joinNeighbours(Block &block);
  void join(ArrayRef<LoopCall> loops);
  SmallVector<AssignOp> findCopies(Block &block);
  LoopCall copy(AssignOp assign);
  tgx::KernelOp copyKernel(Type elementType, Location loc);

  SymbolTable kernels;
  ModuleOp module;
  /// The symbols of the visited function.
  const FunctionSymbols *symbols = nullptr;
  int64_t slots;
  FlatLoops flatLoops;
  /// The number of calls of each kernel.
  DenseMap<Attribute, unsigned> callCounts;
  DenseMap<Type, tgx::KernelOp> copyKernels;
  /// Kernels of calls that were replaced.
  llvm::SetVector<Operation *> replaced;
};
} // namespace

/// Returns true if a value is a part of a larger one.
static bool isPart(Value value) {
  return llvm::any_of(withoutViews(value).getUsers(),
                      llvm::IsaPred<tgx::JoinOp>);
}

/// Returns the loop of a call that may share its launch: one without checks and
/// without parts of larger buffers. Only flat loops share code in a launch, so
/// that a loop of another form must be the only one of its kernel.
std::optional<LoopCall> LoopJoiner::findLoop(Operation &op) {
  auto call = dyn_cast<tgx::CallOp>(op);
  auto kernel =
      call ? kernels.lookup<tgx::KernelOp>(call.getKernel()) : tgx::KernelOp();
  if (!kernel || kernel.getStrategy() != tgx::Strategy::loop ||
      kernel.getParts() || kernel.getArgumentRows() || kernel.getOutputRows() ||
      hasChecks(kernel) || llvm::any_of(call->getOperands(), isPart) ||
      llvm::any_of(call->getResults(), isPart))
    return std::nullopt;
  AffineExpr count = productOf(outputExtentsOf(kernel), op.getContext());
  LoopCall loop{call, kernel, flatLoops.find(kernel),
                count.replaceSymbols(call.getExtents().getResults())};
  // The shape of a view is static.
  for (Type type :
       llvm::concat<Type>(SmallVector<Type>(call->getOperandTypes()),
                          SmallVector<Type>(call->getResultTypes()))) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.getRank() > 1 &&
        (!tensor.hasStaticShape() || tensor.getNumElements() == 0))
      loop.flat = nullptr;
  }
  if (!loop.flat && callCounts.lookup(call.getKernelAttr()) > 1)
    return std::nullopt;
  return loop;
}

//===----------------------------------------------------------------------===//
// Loops at the end of a block
//===----------------------------------------------------------------------===//

/// Returns true if results of a call are only assigned. The call may run last,
/// and the buffers that it reads until then are rarely larger than the
/// variables.
static bool isLast(tgx::CallOp call) {
  SmallVector<Value> results(call->getResults());
  for (unsigned index = 0; index < results.size(); ++index)
    for (Operation *user : results[index].getUsers()) {
      if (isa<ViewOpInterface>(user) && user->getBlock() == call->getBlock())
        llvm::append_range(results, user->getResults());
      else if (!isa<AssignOp>(user))
        return false;
    }
  return true;
}

/// Returns true if the schedule copies the value of an assign: its kernel
/// cannot write it over the old content, or no kernel computes it.
static bool needsCopy(AssignOp assign, const SymbolTable &kernels) {
  Value root = withoutViews(assign.getValue());
  if (isa<BlockArgument>(root) || root.getDefiningOp<ConstantOp>())
    return true;
  auto call = root.getDefiningOp<tgx::CallOp>();
  if (!call || call->getBlock() != assign->getBlock())
    return false;
  auto kernel = kernels.lookup<tgx::KernelOp>(call.getKernel());
  ExtentAnalysis extents(kernel.getContext());
  if (failed(kernel.analyzeExtents(extents)))
    return false;
  Value output = kernel.getOutputs()[cast<OpResult>(root).getResultNumber()];
  return llvm::any_of(
      llvm::zip_equal(call.getInputs(), kernel.getBlock().getArguments()),
      [&](auto pair) {
        auto [input, argument] = pair;
        auto read = withoutViews(input).template getDefiningOp<ReadOp>();
        return read && read.getVariableAttr() == assign.getVariableAttr() &&
               !kernel.mayOverwrite(argument, output, extents);
      });
}

SmallVector<AssignOp> LoopJoiner::findCopies(Block &block) {
  SmallVector<AssignOp> copies;
  llvm::DenseSet<Value> assigned;
  for (auto assign : block.getOps<AssignOp>()) {
    Value root = withoutViews(assign.getValue());
    auto type = cast<RankedTensorType>(root.getType());
    bool isFirst = assigned.insert(root).second;
    if (type.hasStaticShape() && type.getNumElements() > 0 && !isPart(root) &&
        (!isFirst || needsCopy(assign, kernels)))
      copies.push_back(assign);
  }
  return copies;
}

/// Returns the kernel that copies a list of elements.
tgx::KernelOp LoopJoiner::copyKernel(Type elementType, Location loc) {
  tgx::KernelOp &kernel = copyKernels[elementType];
  if (kernel)
    return kernel;
  OpBuilder builder(module.getContext());
  RankedTensorType type = flatType(elementType, ShapedType::kDynamic);
  AffineMap extents = AffineMap::get(0, 1, builder.getAffineSymbolExpr(0));
  kernel = tgx::KernelOp::create(
      builder, loc, "copy", tgx::Strategy::loop, /*symbol_count=*/1,
      builder.getAffineMapArrayAttr(extents),
      builder.getArrayAttr(builder.getUnitAttr()), /*algorithm=*/nullptr,
      /*argument_rows=*/nullptr, /*output_rows=*/nullptr,
      /*non_temporal_outputs=*/nullptr, /*alignments=*/nullptr,
      /*parts=*/nullptr);
  Block &body = kernel.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&body);
  auto copied = tgx::MaterializeOp::create(builder, loc, type,
                                           body.addArgument(type, loc));
  tgx::YieldOp::create(builder, loc, copied->getResults());
  kernels.insert(kernel);
  return kernel;
}

/// Makes a call of a loop compute the value of an assign.
LoopCall LoopJoiner::copy(AssignOp assign) {
  Value value = assign.getValue();
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  OpBuilder builder(assign);
  if (type.getRank() != 1)
    value = ReshapeOp::create(builder, loc, value, ValueRange(),
                              SmallVector<int64_t>{type.getNumElements()});
  tgx::KernelOp kernel = copyKernel(type.getElementType(), loc);
  AffineExpr count = builder.getAffineConstantExpr(type.getNumElements());
  auto call =
      tgx::CallOp::create(builder, loc, TypeRange(value.getType()),
                          kernel.getSymName(), value, symbols->mapOf({count}));
  Value result = call->getResult(0);
  if (type.getRank() != 1)
    result = ReshapeOp::create(builder, loc, result, ValueRange(), shape);
  assign.getValueMutable().assign(result);
  return {call, kernel, flatLoops.find(kernel), count};
}

/// Joins the loops whose results are only assigned, and the copies of assigned
/// values.
void LoopJoiner::joinLast(Block &block) {
  SmallVector<AssignOp> copies = findCopies(block);
  llvm::DenseSet<Value> copied;
  for (AssignOp assign : copies)
    copied.insert(withoutViews(assign.getValue()));
  // A loop runs before the copies of its results.
  auto isCopied = [&](Value result) { return copied.contains(result); };
  SmallVector<LoopCall> loops;
  for (Operation &op : block)
    if (auto loop = findLoop(op);
        loop && isLast(loop->call) && llvm::none_of(op.getResults(), isCopied))
      loops.push_back(*loop);
  if (loops.size() + copies.size() < 2)
    return;
  for (AssignOp assign : copies)
    loops.push_back(copy(assign));
  join(loops);
}

//===----------------------------------------------------------------------===//
// Loops that follow one another
//===----------------------------------------------------------------------===//

/// Returns true if loops before and behind an op may be joined: the op computes
/// nothing, and passes on no other value of a loop than a view of it.
static bool mayStandBetween(Operation &op) {
  return isa<ViewOpInterface, ReadOp, AssignOp>(op) ||
         op.hasTrait<mlir::OpTrait::ConstantLike>();
}

/// Joins loops without another computation between them, of which none reads a
/// result of another.
void LoopJoiner::joinNeighbours(Block &block) {
  std::vector<SmallVector<LoopCall>> runs(1);
  for (Operation &op : block) {
    std::optional<LoopCall> loop = findLoop(op);
    if (mayStandBetween(op))
      continue;
    bool depends = llvm::any_of(op.getOperands(), [&](Value operand) {
      Operation *source = withoutViews(operand).getDefiningOp();
      return llvm::any_of(runs.back(), [&](const LoopCall &other) {
        return source == other.call;
      });
    });
    if (!loop || depends)
      runs.emplace_back();
    if (loop)
      runs.back().push_back(*loop);
  }
  for (ArrayRef<LoopCall> run : runs)
    join(run);
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// Joins independent loops. Loops that may share code follow one another, those
/// with many elements first.
void LoopJoiner::join(ArrayRef<LoopCall> loops) {
  std::vector<SmallVector<LoopCall>> kinds;
  llvm::StringMap<size_t> indices;
  for (auto [index, loop] : llvm::enumerate(loops)) {
    std::string key = loop.flat ? loop.flat->key : std::to_string(index);
    size_t kind = indices.try_emplace(key, kinds.size()).first->second;
    if (kind == kinds.size())
      kinds.emplace_back();
    kinds[kind].push_back(loop);
  }
  std::vector<JoinedLoops> groups;
  for (SmallVector<LoopCall> &kind : kinds) {
    llvm::sort(kind, [](const LoopCall &lhs, const LoopCall &rhs) {
      int64_t counts[] = {plannedNumber(lhs.count), plannedNumber(rhs.count)};
      return counts[0] > counts[1] ||
             (counts[0] == counts[1] && lhs.call->isBeforeInBlock(rhs.call));
    });
    for (const LoopCall &loop : kind)
      if (llvm::none_of(groups, [&](JoinedLoops &group) {
            return group.add(loop, slots);
          }))
        groups.emplace_back().add(loop, slots);
  }
  for (JoinedLoops &group : groups) {
    if (group.getCalls().size() < 2)
      continue;
    joined += group.getCalls().size();
    for (const LoopCall &loop : group.getCalls())
      replaced.insert(loop.kernel);
    group.replace(kernels);
  }
}

void LoopJoiner::eraseUnusedKernels() {
  llvm::DenseSet<StringRef> used;
  module.walk([&](tgx::CallOp call) { used.insert(call.getKernel()); });
  for (Operation *kernel : replaced)
    if (!used.contains(cast<tgx::KernelOp>(kernel).getSymName()))
      kernels.erase(kernel);
}

void LoopJoiner::visit(func::FuncOp function,
                       const FunctionSymbols &functionSymbols) {
  symbols = &functionSymbols;
  forEachBlock(function, [&](Block &block) {
    joinLast(block);
    joinNeighbours(block);
  });
}

namespace {
struct JoinLoops : tg::impl::JoinLoopsBase<JoinLoops> {
  using JoinLoopsBase::JoinLoopsBase;

  void runOnOperation() override {
    int64_t slots = PlanTarget(getOperation()).getDescription().joinedSlots;
    if (slots == 0)
      return;
    LoopJoiner joiner(getOperation(), slots);
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      // The memory budget holds for the steps that rematerialization has
      // planned.
      if (function->hasAttr(kRecomputed))
        continue;
      auto &symbols = getChildAnalysis<FunctionSymbols>(function);
      if (failed(symbols.verify(function)))
        return signalPassFailure();
      joiner.visit(function, symbols);
    }
    joiner.eraseUnusedKernels();
    joinedLoops += joiner.joined;
  }
};
} // namespace
