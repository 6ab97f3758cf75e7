//===- FuseKernels.cpp - every computing op into a kernel -----------------===//
#include "compiler/transforms/FusionPlan.h"
#include "compiler/transforms/Passes.h"
#include "dialects/tg/ConstantOps.h"
#include "dialects/tg/StateOps.h"

namespace tg {
#define GEN_PASS_DEF_FUSEKERNELS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
/// Makes kernels of clusters, one for all that are equal.
class KernelOutliner {
public:
  KernelOutliner(ModuleOp module) : module(module), symbols(module) {}

  /// Replaces the ops of `cluster` by a call of its kernel, at the builder's
  /// place, after all producers.
  void outline(Cluster &cluster, const FunctionSymbols &function,
               ExtentAnalysis &extents, OpBuilder &builder);

  unsigned kernelCount = 0;

private:
  tgx::KernelOp build(Cluster &cluster, ArrayRef<Value> inputs,
                      ArrayRef<Value> outputs, const ExtentAnalysis &extents,
                      SmallVectorImpl<AffineExpr> &callExtents);
  tgx::KernelOp unique(tgx::KernelOp kernel);

  ModuleOp module;
  SymbolTable symbols;
  llvm::StringMap<tgx::KernelOp> known;
};

/// Numbers the symbols that kernels use in the order of their appearance.
class SymbolRenumbering {
public:
  SymbolRenumbering(MLIRContext *context) : context(context) {}

  AffineExpr operator()(AffineExpr expression) {
    expression.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        order.insert(symbol.getPosition());
    });
    DenseMap<AffineExpr, AffineExpr> renamed;
    for (auto [fresh, old] : llvm::enumerate(order))
      renamed[getAffineSymbolExpr(old, context)] =
          getAffineSymbolExpr(fresh, context);
    return expression.replace(renamed);
  }

  /// The function's symbols that became the kernel's, in order.
  SmallVector<AffineExpr> getOrder() const {
    return llvm::map_to_vector(
        order, [&](unsigned old) { return getAffineSymbolExpr(old, context); });
  }

private:
  MLIRContext *context;
  llvm::SetVector<unsigned> order;
};
} // namespace

/// Values that the cluster's ops use and do not compute, and those of its own
/// that others use.
static void findInterface(Cluster &cluster, llvm::SetVector<Value> &inputs,
                          llvm::SetVector<Value> &outputs) {
  llvm::SmallPtrSet<Operation *, 16> members(cluster.ops.begin(),
                                             cluster.ops.end());
  for (Operation *op : cluster.ops) {
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source ||
          (!members.contains(source) && !isClonedIntoKernels(source)))
        inputs.insert(operand);
    }
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(user);
          }))
        outputs.insert(result);
  }
}

/// Clones `op` and what it is made of that no kernel computes.
static void cloneInto(OpBuilder &builder, Operation *op, IRMapping &values,
                      SymbolRenumbering &renumber) {
  for (Value operand : op->getOperands())
    if (!values.contains(operand))
      cloneInto(builder, operand.getDefiningOp(), values, renumber);
  Operation *copy = builder.clone(*op, values);
  // Maps get their number of symbols when all of them are known.
  auto renumbered = [&](AffineMap map) {
    AffineExpr expression = renumber(map.getResult(0));
    return AffineMapAttr::get(
        AffineMap::get(0, renumber.getOrder().size(), expression));
  };
  if (auto number = dyn_cast<tgx::SizeOp>(copy))
    number.setValueAttr(renumbered(number.getValue()));
  if (auto check = dyn_cast<tgx::CheckIndexOp>(copy))
    check.setBoundAttr(renumbered(check.getBound()));
}

tgx::KernelOp KernelOutliner::build(Cluster &cluster, ArrayRef<Value> inputs,
                                    ArrayRef<Value> outputs,
                                    const ExtentAnalysis &extents,
                                    SmallVectorImpl<AffineExpr> &callExtents) {
  MLIRContext *context = module.getContext();
  OpBuilder builder(context);
  SymbolRenumbering renumber(context);
  SmallVector<SmallVector<AffineExpr>> argumentExtents;
  for (Value input : inputs) {
    argumentExtents.emplace_back();
    for (AffineExpr extent : extents.extentsOf(input))
      argumentExtents.back().push_back(renumber(extent));
  }
  auto kernel = tgx::KernelOp::create(
      builder, cluster.ops.front()->getLoc(), "kernel", cluster.strategy,
      /*symbol_count=*/0, builder.getArrayAttr({}), builder.getArrayAttr({}));
  Block &body = kernel.getBody().emplaceBlock();
  IRMapping values;
  for (Value input : inputs)
    values.map(input, body.addArgument(input.getType(), input.getLoc()));
  builder.setInsertionPointToEnd(&body);
  for (Operation *op : cluster.ops)
    cloneInto(builder, op, values, renumber);
  SmallVector<Value> yielded;
  for (Value output : outputs)
    yielded.push_back(values.lookup(output));
  tgx::YieldOp::create(builder, kernel.getLoc(), yielded);

  callExtents = renumber.getOrder();
  unsigned count = callExtents.size();
  SmallVector<Attribute> maps, numbers;
  for (ArrayRef<AffineExpr> dims : argumentExtents) {
    maps.push_back(AffineMapAttr::get(AffineMap::get(0, count, dims, context)));
    numbers.push_back(builder.getUnitAttr());
  }
  kernel.setSymbolCount(count);
  kernel.setArgumentExtentsAttr(builder.getArrayAttr(maps));
  kernel.setArgumentSizesAttr(builder.getArrayAttr(numbers));
  auto complete = [&](AffineMap map) {
    return AffineMapAttr::get(AffineMap::get(0, count, map.getResult(0)));
  };
  for (auto number : body.getOps<tgx::SizeOp>())
    number.setValueAttr(complete(number.getValue()));
  for (auto check : body.getOps<tgx::CheckIndexOp>())
    check.setBoundAttr(complete(check.getBound()));
  return kernel;
}

/// The kernel's text without its name; checks keep their locations, because
/// messages name them.
static std::string keyOf(tgx::KernelOp kernel) {
  std::string key;
  llvm::raw_string_ostream stream(key);
  kernel->print(stream,
                OpPrintingFlags().printGenericOpForm().assumeVerified());
  kernel.walk([&](Operation *op) {
    if (isa<tgx::CheckIndexOp, tgx::CheckDivisorOp>(op))
      stream << op->getLoc();
  });
  return key;
}

tgx::KernelOp KernelOutliner::unique(tgx::KernelOp kernel) {
  tgx::KernelOp &first = known[keyOf(kernel)];
  if (first) {
    kernel->erase();
    return first;
  }
  kernel.setSymName("kernel_" + std::to_string(kernelCount++));
  symbols.insert(kernel);
  first = kernel;
  return kernel;
}

void KernelOutliner::outline(Cluster &cluster, const FunctionSymbols &function,
                             ExtentAnalysis &extents, OpBuilder &builder) {
  llvm::SetVector<Value> inputs, outputs;
  findInterface(cluster, inputs, outputs);
  SmallVector<AffineExpr> callExtents;
  tgx::KernelOp kernel =
      unique(build(cluster, inputs.getArrayRef(), outputs.getArrayRef(),
                   extents, callExtents));
  SmallVector<Location> locations;
  for (Operation *op : cluster.ops)
    locations.push_back(op->getLoc());
  auto call = tgx::CallOp::create(
      builder, builder.getFusedLoc(locations),
      TypeRange(ValueRange(outputs.getArrayRef())),
      FlatSymbolRefAttr::get(kernel.getSymNameAttr()), inputs.getArrayRef(),
      AffineMapAttr::get(function.mapOf(callExtents)));
  for (auto [number, old] : llvm::enumerate(outputs.getArrayRef())) {
    Value fresh = call.getOutputs()[number];
    extents.setExtents(fresh, SmallVector<AffineExpr>(extents.extentsOf(old)));
    Value(old).replaceAllUsesWith(fresh);
  }
}

/// Clusters and other ops of the function so that producers come first, else
/// in program order.
static SmallVector<PointerUnion<Cluster *, Operation *>>
sortTopologically(func::FuncOp function, const FusionPlan &plan) {
  using Node = PointerUnion<Cluster *, Operation *>;
  SmallVector<Node> order;
  llvm::SmallPtrSet<void *, 32> done;
  std::function<void(Node)> visit = [&](Node node) {
    if (!done.insert(node.getOpaqueValue()).second)
      return;
    auto visitOperands = [&](Operation *op) {
      for (Value operand : op->getOperands())
        if (Operation *source = operand.getDefiningOp()) {
          Cluster *cluster = plan.clusterOf(source);
          visit(cluster ? Node(cluster) : Node(source));
        }
    };
    if (auto *cluster = dyn_cast<Cluster *>(node))
      llvm::for_each(cluster->ops, visitOperands);
    else
      visitOperands(cast<Operation *>(node));
    order.push_back(node);
  };
  for (Operation &op : function.getBody().front()) {
    Cluster *cluster = plan.clusterOf(&op);
    visit(cluster ? Node(cluster) : Node(&op));
  }
  return order;
}

/// Whether something outside kernels reads the value itself: views read their
/// first operand, the others are numbers that the extents already tell.
static bool needsMemory(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isView(user))
    return use.getOperandNumber() == 0;
  return isa<AssignOp, func::ReturnOp>(user);
}

/// A loop kernel of its own for each cloned value that something outside
/// kernels uses: an assigned or returned constant.
static void wrapOutsideUses(func::FuncOp function) {
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    if (op.getNumResults() != 1 || !isClonedIntoKernels(&op))
      continue;
    Value copy;
    for (OpOperand &use : llvm::make_early_inc_range(op.getUses())) {
      if (!needsMemory(use))
        continue;
      if (!copy) {
        OpBuilder builder(function.getContext());
        builder.setInsertionPointAfter(&op);
        copy = tgx::MaterializeOp::create(
            builder, op.getLoc(), op.getResult(0).getType(), op.getResult(0));
      }
      use.set(copy);
    }
  }
}

namespace {
struct FuseKernels : tg::impl::FuseKernelsBase<FuseKernels> {
  using FuseKernelsBase::FuseKernelsBase;

  void runOnOperation() override {
    KernelOutliner outliner(getOperation());
    for (func::FuncOp function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (failed(fuseFunction(function, outliner)))
        return signalPassFailure();
    kernels += outliner.kernelCount;
  }

  LogicalResult fuseFunction(func::FuncOp function, KernelOutliner &outliner) {
    wrapOutsideUses(function);
    FailureOr<FunctionSymbols> symbols = FunctionSymbols::create(function);
    if (failed(symbols))
      return failure();
    ExtentAnalysis &extents = symbols->getAnalysis();
    FusionPlan plan(function, extents, maximumOps);
    if (fuse)
      merges += plan.fuse();
    recordEntryChecks(function, *symbols, [](Operation *) { return true; });
    Block &body = function.getBody().front();
    auto order = sortTopologically(function, plan);
    OpBuilder builder(function.getContext());
    builder.setInsertionPointToEnd(&body);
    for (auto node : order) {
      if (auto *op = dyn_cast<Operation *>(node)) {
        op->moveBefore(&body, body.end());
        continue;
      }
      outliner.outline(*cast<Cluster *>(node), *symbols, extents, builder);
    }
    eraseDead(body);
    return verifyAllInKernels(function);
  }

  /// Erases the fused originals, users first.
  static void eraseDead(Block &body) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
        if (isOpTriviallyDead(&op)) {
          op.erase();
          changed = true;
        }
    }
  }

  /// The invariant of the phase: ops outside kernels do not compute.
  static LogicalResult verifyAllInKernels(func::FuncOp function) {
    for (Operation &op : function.getBody().front())
      if (!isa<tgx::CallOp, ReadOp, AssignOp, ConstantOp, tgx::SizeOp,
               tgx::EntryCheckOp, func::ReturnOp>(op) &&
          !isView(&op))
        return op.emitOpError("stands in no kernel after fusion");
    return success();
  }
};
} // namespace
