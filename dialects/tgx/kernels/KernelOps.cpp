//===- KernelOps.cpp - kernels and their calls ----------------------------===//
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tgx/kernels/KernelParts.h"
#include "dialects/tgx/verification/Verification.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tgx;

//===----------------------------------------------------------------------===//
// kernel
//===----------------------------------------------------------------------===//

OperandRange KernelOp::getOutputs() {
  return cast<YieldOp>(getBlock().getTerminator()).getValues();
}

/// The upper bound on symbols of a kernel. No function has more symbols.
static constexpr uint64_t kMaximumSymbols = 4096;

/// Checks C2 and C3 of one argument.
static LogicalResult verifyArgument(KernelOp kernel, BlockArgument argument,
                                    AffineMap extents, Attribute size) {
  std::string what = "argument " + std::to_string(argument.getArgNumber());
  int64_t symbolCount = kernel.getSymbolCount();
  if (failed(tg::verifyTensorType(kernel, argument.getType(), what)))
    return failure();
  auto type = cast<RankedTensorType>(argument.getType());
  if (failed(verifyExtents(kernel, extents, type, symbolCount, what, "C2")))
    return failure();
  if (isa<UnitAttr>(size))
    return success();
  auto map = dyn_cast<AffineMapAttr>(size);
  if (map && type.getRank() == 0 &&
      type.getElementType().isSignlessInteger(64) &&
      map.getValue().getNumSymbols() == symbolCount)
    return verifyNumber(kernel, map.getValue(), "the size of " + what, "C3");
  return kernel.emitOpError()
         << "expected the size of " << what << ", " << type
         << ", to be unit or, for a rank-0 i64, a number over the symbols, "
            "found "
         << size << " [C3]";
}

/// Checks C8 of the arguments or outputs of a kernel.
static LogicalResult verifyRows(KernelOp kernel, std::optional<ArrayAttr> list,
                                ValueRange values, StringRef what) {
  if (!list)
    return success();
  if (list->size() != values.size() || kernel.getStrategy() == Strategy::custom)
    return kernel.emitOpError()
           << "expected an entry for each of " << values.size() << " " << what
           << "s of a kernel that is not custom, found " << list->size()
           << " entries of a " << stringifyStrategy(kernel.getStrategy())
           << " kernel [C8]";
  for (auto [value, entry] : llvm::zip_equal(values, *list)) {
    auto rows = dyn_cast<RowsAttr>(entry);
    auto type = dyn_cast<RankedTensorType>(value.getType());
    bool fits = rows && type && rows.getAxis() > 0 &&
                int64_t(rows.getAxis()) < type.getRank();
    if (fits) {
      ArrayRef<int64_t> row = type.getShape().drop_front(rows.getAxis());
      auto bytes = tg::checkedByteCount(row, type.getElementType());
      fits = llvm::none_of(row, ShapedType::isDynamic) && bytes &&
             elementsFrom(type, rows.getAxis()) <= rows.getRowStride();
    }
    if (!fits && !isa<UnitAttr>(entry))
      return kernel.emitOpError()
             << "expected unit or static rows of " << value.getType()
             << " that are not longer than their row stride, found " << entry
             << " [C8]";
  }
  return success();
}

RowsAttr KernelOp::rowsOf(Value value) {
  auto entry = [](std::optional<ArrayAttr> list, unsigned index) {
    return list ? dyn_cast<RowsAttr>((*list)[index]) : RowsAttr();
  };
  if (auto argument = dyn_cast<BlockArgument>(value))
    return entry(getArgumentRows(), argument.getArgNumber());
  OperandRange outputs = getOutputs();
  auto output = llvm::find(outputs, value);
  return output == outputs.end()
             ? RowsAttr()
             : entry(getOutputRows(), output - outputs.begin());
}

LogicalResult KernelOp::verify() {
  if (getSymbolCount() >= kMaximumSymbols)
    return emitOpError() << "expected symbol_count in [0, " << kMaximumSymbols
                         << "), found " << int64_t(getSymbolCount()) << " [C1]";
  unsigned count = getBlock().getNumArguments();
  if (getArgumentExtents().size() != count ||
      getArgumentSizes().size() != count)
    return emitOpError() << "expected extents and sizes of " << count
                         << " arguments, found " << getArgumentExtents().size()
                         << " and " << getArgumentSizes().size() << " [C1]";
  for (auto [argument, map, size] :
       llvm::zip_equal(getBlock().getArguments(),
                       getArgumentExtents().getAsRange<AffineMapAttr>(),
                       getArgumentSizes()))
    if (failed(verifyArgument(*this, argument, map.getValue(), size)))
      return failure();
  return success();
}

/// Returns the reason for which C4 forbids an op in a kernel, or "" if the op
/// is allowed.
static StringRef findFault(Operation &op) {
  // A kernel that calls itself would have no extents.
  bool isKnown = isa_and_nonnull<tg::TgDialect, TgxDialect>(op.getDialect()) ||
                 // Emitters use contractions through their interface, whatever
                 // the dialect.
                 isa<tg::ContractionOpInterface>(op);
  if (!isKnown)
    return "is of another dialect";
  if (op.getNumRegions() != 0)
    return "has regions";
  if (isa<SymbolUserOpInterface>(op))
    return "uses a symbol";
  return isMemoryEffectFree(&op) ? "" : "has effects";
}

/// Checks C4 of one op.
static LogicalResult verifyBodyOp(KernelOp kernel, Operation &op) {
  if (StringRef fault = findFault(op); !fault.empty())
    return op.emitOpError()
           << fault
           << ", expected ops of tg and tgx, or contractions, without regions, "
              "effects and symbols in a kernel [C4]";
  return verifySymbols(&op, kernel.getSymbolCount(), "C4");
}

/// Checks C5.
static LogicalResult verifyStrategy(KernelOp kernel) {
  unsigned reductions = 0, contractions = 0, panels = 0, others = 0;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    if (isa<tg::ReductionOpInterface>(op))
      ++reductions;
    else if (isa<tg::ContractionOpInterface>(op))
      ++contractions;
    else if (isa<UnpackOp>(op))
      ++panels;
    else if (!isa<tg::ElementOpInterface>(op))
      ++others;
  }
  Strategy strategy = kernel.getStrategy();
  bool mayReduce =
      strategy == Strategy::reduction || strategy == Strategy::contraction;
  bool fits = (reductions > 0 || strategy != Strategy::reduction) &&
              (reductions == 0 || mayReduce) &&
              contractions == (strategy == Strategy::contraction) &&
              (panels == 0 || strategy == Strategy::contraction) &&
              others == (strategy == Strategy::custom);
  if (fits)
    return success();
  return kernel.emitOpError()
         << "expected ops that fit strategy " << stringifyStrategy(strategy)
         << ", found " << reductions << " reductions, " << contractions
         << " contractions, " << panels << " that read panels and " << others
         << " of another kind [C5]";
}

/// Checks C6.
static LogicalResult verifyKnownExtents(KernelOp kernel) {
  tg::ExtentAnalysis analysis(kernel.getContext());
  if (failed(kernel.analyzeExtents(analysis)))
    return failure();
  for (Operation &op : kernel.getBlock().without_terminator())
    for (Value result : op.getResults())
      if (!analysis.isKnownAtEntry(result))
        return op.emitOpError() << "expected extents that follow from the "
                                   "symbols of the kernel, found "
                                << result.getType() << " [C6]";
  return success();
}

/// Checks C7.
static LogicalResult verifyOutputs(KernelOp kernel) {
  llvm::SmallDenseSet<Value> known;
  for (auto [index, output] : llvm::enumerate(kernel.getOutputs()))
    if (!output.getDefiningOp() || !known.insert(output).second)
      return kernel.emitOpError()
             << "expected output " << index
             << " to be a result of the body and different from all others "
                "[C7]";
  return success();
}

/// Checks C9.
static LogicalResult verifyNonTemporalOutputs(KernelOp kernel) {
  std::optional<ArrayRef<int64_t>> list = kernel.getNonTemporalOutputs();
  if (!list || (list->size() == kernel.getOutputs().size() &&
                llvm::all_of(*list, [](int64_t bytes) { return bytes >= 0; })))
    return success();
  return kernel.emitOpError()
         << "expected non_temporal_outputs of " << kernel.getOutputs().size()
         << " numbers that are not negative, found " << *list << " [C9]";
}

/// Checks C10.
static LogicalResult verifyAlignments(KernelOp kernel) {
  std::optional<ArrayRef<int64_t>> list = kernel.getAlignments();
  size_t count =
      kernel.getBlock().getNumArguments() + kernel.getOutputs().size();
  if (!list || (list->size() == count && llvm::all_of(*list, [](int64_t bytes) {
                  return bytes > 0 && llvm::isPowerOf2_64(bytes);
                })))
    return success();
  return kernel.emitOpError() << "expected alignments of " << count
                              << " powers of two, found " << *list << " [C10]";
}

LogicalResult KernelOp::verifyRegions() {
  if (!isa<YieldOp>(getBlock().back()))
    return emitOpError() << "expected the body to end in tgx.yield, found "
                         << getBlock().back().getName() << " [C4]";
  for (Operation &op : getBlock().without_terminator())
    if (failed(verifyBodyOp(*this, op)))
      return failure();
  if (failed(verifyStrategy(*this)) || failed(verifyKnownExtents(*this)) ||
      failed(verifyOutputs(*this)) || failed(verifyNonTemporalOutputs(*this)) ||
      failed(verifyAlignments(*this)) || failed(verifyParts(*this)) ||
      failed(verifyRows(*this, getArgumentRows(), getBlock().getArguments(),
                        "argument")))
    return failure();
  return verifyRows(*this, getOutputRows(), getOutputs(), "output");
}

LogicalResult KernelOp::analyzeExtents(tg::ExtentAnalysis &analysis) {
  for (auto [argument, extents, size] :
       llvm::zip_equal(getBlock().getArguments(),
                       getArgumentExtents().getAsRange<AffineMapAttr>(),
                       getArgumentSizes())) {
    analysis.setExtents(argument, extents.getValue().getResults());
    if (auto map = dyn_cast<AffineMapAttr>(size))
      analysis.setSize(argument, map.getValue().getResult(0));
  }
  return analysis.run(getBlock(), getSymbolCount());
}

AffineExpr KernelOp::countFlops(const tg::ExtentAnalysis &analysis) {
  AffineExpr flops = getAffineConstantExpr(0, getContext());
  for (Operation &op : getBlock().without_terminator())
    if (auto computing = dyn_cast<tg::CostOpInterface>(op))
      flops = flops + computing.countFlops(analysis);
  return flops;
}

/// Returns true if all ops that use a value, directly or indirectly, up to the
/// outputs, are elementwise.
static bool isReadElementwise(Value value, const tg::ExtentAnalysis &analysis) {
  llvm::SetVector<Value> followed;
  followed.insert(value);
  for (unsigned index = 0; index < followed.size(); ++index)
    for (Operation *user : followed[index].getUsers()) {
      if (isa<YieldOp>(user))
        continue;
      if (!tg::isElementwise(user) ||
          analysis.extentsOf(user->getResult(0)) != analysis.extentsOf(value))
        return false;
      followed.insert(user->getResult(0));
    }
  return true;
}

/// Returns true if the op that computes an output overwrites an argument, and
/// nothing else uses the argument. The elements that the op does not change
/// stay in place.
static bool isOverwritten(BlockArgument argument, Value output) {
  auto op = output.getDefiningOp<tg::OverwritingOpInterface>();
  return op && argument.hasOneUse() &&
         &*argument.use_begin() == &op.getOverwrittenOperand();
}

/// Returns true if a check reports a value that is computed from `argument`.
static bool feedsReport(BlockArgument argument) {
  llvm::SetVector<Value> followed;
  followed.insert(argument);
  for (unsigned index = 0; index < followed.size(); ++index)
    for (Operation *user : followed[index].getUsers()) {
      auto check = dyn_cast<ElementCheckOpInterface>(user);
      if (check && check.getIndexBound() &&
          check.getCheckedValue() == followed[index])
        return true;
      followed.insert_range(user->getResults());
    }
  return false;
}

bool KernelOp::mayOverwrite(BlockArgument argument, Value output,
                            const tg::ExtentAnalysis &analysis) {
  if (feedsReport(argument))
    return false;
  if (getStrategy() == Strategy::custom)
    return isOverwritten(argument, output);
  // Kernels of other strategies read values again after they were written.
  if (getStrategy() != Strategy::loop && getStrategy() != Strategy::contraction)
    return false;
  return analysis.extentsOf(argument) == analysis.extentsOf(output) &&
         isReadElementwise(argument, analysis) &&
         isReadByPartOf(argument, output);
}

/// Returns the number of predicates of the checks among some ops.
static unsigned countPredicates(llvm::iterator_range<Block::iterator> ops) {
  unsigned count = 0;
  for (Operation &op : ops)
    if (auto check = dyn_cast<ElementCheckOpInterface>(op))
      count += check.getMessages().size();
  return count;
}

unsigned KernelOp::countCells() { return countPredicates(getBlock()); }

unsigned KernelOp::firstCellOf(ElementCheckOpInterface check) {
  return countPredicates({getBlock().begin(), check->getIterator()});
}

//===----------------------------------------------------------------------===//
// call
//===----------------------------------------------------------------------===//

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return success(
      bool(verifyKernelUse(*this, getKernelAttr(), getInputs().getTypes(),
                           getOutputs().getTypes(), getExtents(), symbols)));
}

LogicalResult
CallOp::inferExtents(tg::ShapeInference &inference,
                     SmallVectorImpl<tg::TensorExtents> &results) {
  auto kernel =
      dyn_cast_or_null<KernelOp>(inference.lookUp(*this, getKernelAttr()));
  tg::ExtentAnalysis analysis(getContext());
  if (!kernel || failed(kernel.analyzeExtents(analysis)))
    return failure();
  for (Value output : kernel.getOutputs()) {
    tg::TensorExtents extents{getElementTypeOrSelf(output), {}};
    for (AffineExpr extent : analysis.extentsOf(output))
      extents.dims.push_back(extent.replaceSymbols(getExtents().getResults()));
    results.push_back(extents);
  }
  return success();
}
