//===- PlaceParts.cpp - row layouts of joined values ----------------------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/fusion/KernelOutliner.h"
#include "compiler/transforms/memory/PartPlace.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "llvm/ADT/MapVector.h"

namespace tg {
#define GEN_PASS_DEF_PLACEPARTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
/// Makes sure that each operand of the joins of a function can be placed in the
/// join. Copies operands that cannot.
class PartCopier {
public:
  PartCopier(FunctionSymbols &symbols, const SymbolTable &module,
             KernelOutliner &outliner)
      : symbols(symbols), module(module), outliner(outliner) {}

  /// Returns the number of copies.
  unsigned run(func::FuncOp function);

private:
  bool canPlaceIn(tgx::JoinOp join, Value part);
  bool canAccessStridedRows(tgx::CallOp call, Value value, unsigned axis) const;
  void copy(OpOperand &part);

  FunctionSymbols &symbols;
  const SymbolTable &module;
  KernelOutliner &outliner;
  /// Values that are placed in a join.
  llvm::DenseSet<Value> placed;
};
} // namespace

/// Returns true if a call can read or write a value with non-contiguous rows.
bool PartCopier::canAccessStridedRows(tgx::CallOp call, Value value,
                                      unsigned axis) const {
  auto kernel = module.lookup<tgx::KernelOp>(call.getKernel());
  if (!kernel)
    return true; // a copy, which is a loop
  const FusionStrategy &strategy = FusionStrategy::of(kernel.getStrategy());
  ExtentAnalysis extents(kernel.getContext());
  if (failed(kernel.analyzeExtents(extents)))
    return false;
  auto canReach = [&](auto pair) {
    auto [own, inner] = pair;
    return own != value ||
           strategy.canAccessStridedRows(kernel, inner, axis, extents);
  };
  return llvm::all_of(llvm::zip_equal(call.getInputs(),
                                      kernel.getBlock().getArguments()),
                      canReach) &&
         llvm::all_of(llvm::zip_equal(call.getOutputs(), kernel.getOutputs()),
                      canReach);
}

bool PartCopier::canPlaceIn(tgx::JoinOp join, Value part) {
  auto producer = part.getDefiningOp<tgx::CallOp>();
  auto inner = part.getDefiningOp<tgx::JoinOp>();
  bool isProduced = producer || (inner && inner.getAxis() == join.getAxis());
  if (!isProduced || placed.contains(part))
    return false;
  auto canReach = [&](tgx::CallOp call) {
    return !join.getRows() || canAccessStridedRows(call, part, join.getAxis());
  };
  if (producer && !canReach(producer))
    return false;
  return llvm::all_of(part.getUsers(), [&](Operation *user) {
    auto call = dyn_cast<tgx::CallOp>(user);
    return call ? canReach(call) : isa<tgx::JoinOp>(user);
  });
}

/// Makes a kernel copy the operand of a join to its part.
void PartCopier::copy(OpOperand &part) {
  OpBuilder builder(part.getOwner());
  Operation *copy = tgx::MaterializeOp::create(
      builder, part.getOwner()->getLoc(), part.get().getType(), part.get());
  symbols.add(copy);
  part.set(copy->getResult(0));
  ExtentAnalysis &extents = symbols.getAnalysis();
  Cluster cluster;
  cluster.strategy = &FusionStrategy::of(copy);
  cluster.ops.push_back(copy);
  outliner.outline(cluster, symbols, extents, builder);
  copy->erase();
}

unsigned PartCopier::run(func::FuncOp function) {
  unsigned copies = 0;
  for (tgx::JoinOp join : llvm::to_vector(function.getOps<tgx::JoinOp>()))
    for (OpOperand &part : join->getOpOperands()) {
      if (!canPlaceIn(join, part.get())) {
        copy(part);
        ++copies;
      }
      placed.insert(part.get());
    }
  return copies;
}

/// Returns the row layouts of values, UnitAttr for contiguous ones; null if all
/// are contiguous.
static ArrayAttr rowsOf(ValueRange values, MLIRContext *context) {
  SmallVector<Attribute> list;
  bool areStrided = false;
  for (Value value : values) {
    tgx::RowsAttr rows = placeOf(value).getRows();
    areStrided |= bool(rows);
    list.push_back(rows ? Attribute(rows) : UnitAttr::get(context));
  }
  return areStrided ? ArrayAttr::get(context, list) : ArrayAttr();
}

/// Sets the row layouts of the arguments and results of kernels. There is one
/// kernel for each combination of layouts.
static void setRows(ModuleOp module) {
  using Rows = std::pair<ArrayAttr, ArrayAttr>;
  SymbolTable symbols(module);
  llvm::MapVector<tgx::KernelOp,
                  llvm::MapVector<Rows, SmallVector<tgx::CallOp>>>
      calls;
  module.walk([&](tgx::CallOp call) {
    Rows rows = {rowsOf(call.getInputs(), module.getContext()),
                 rowsOf(call.getOutputs(), module.getContext())};
    calls[symbols.lookup<tgx::KernelOp>(call.getKernel())][rows].push_back(
        call);
  });
  for (auto &[kernel, combinations] : calls) {
    // The first combination gets the kernel itself.
    SmallVector<tgx::KernelOp> kernels = {kernel};
    while (kernels.size() < combinations.size())
      kernels.push_back(kernel.clone());
    for (auto [own, combination] : llvm::zip_equal(kernels, combinations)) {
      auto &[rows, users] = combination;
      if (rows.first)
        own.setArgumentRowsAttr(rows.first);
      if (rows.second)
        own.setOutputRowsAttr(rows.second);
      if (own == kernel)
        continue;
      symbols.insert(own);
      for (tgx::CallOp call : users)
        call.setKernelAttr(FlatSymbolRefAttr::get(own.getSymNameAttr()));
    }
  }
}

namespace {
struct PlaceParts : tg::impl::PlacePartsBase<PlaceParts> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto functions = llvm::to_vector(llvm::make_filter_range(
        module.getOps<func::FuncOp>(), [](func::FuncOp function) {
          return !function.getOps<tgx::JoinOp>().empty();
        }));
    if (functions.empty())
      return markAllAnalysesPreserved();
    SymbolTable symbols(module);
    KernelOutliner outliner(module);
    for (func::FuncOp function : functions) {
      auto &extents = getChildAnalysis<FunctionSymbols>(function);
      if (failed(extents.verify(function)))
        return signalPassFailure();
      copies += PartCopier(extents, symbols, outliner).run(function);
    }
    outliner.finish();
    setRows(module);
    markAnalysesPreserved<FunctionSymbols>();
  }
};
} // namespace
