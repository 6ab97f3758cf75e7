//===- JoinConcatenations.cpp - concatenations in place -------------------===//
#include "compiler/target/PlanTarget.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/fusion/FusionPlan.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"

namespace tg {
#define GEN_PASS_DEF_JOINCONCATENATIONS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

/// Returns the bytes of a row of an operand, which consists of the dimensions
/// from `axis` on; none if its size is dynamic.
static std::optional<int64_t> rowBytesOf(Value operand, unsigned axis) {
  auto type = cast<RankedTensorType>(operand.getType());
  ArrayRef<int64_t> row = type.getShape().drop_front(axis);
  if (llvm::any_of(row, ShapedType::isDynamic))
    return std::nullopt;
  return checkedByteCount(row, type.getElementType());
}

namespace {
/// Chooses the concatenations of a function to be computed in place: kernels
/// write their operands directly to the result. Only operands that kernels
/// write to memory in any case make this worthwhile.
class ConcatenationChooser {
public:
  /// The rows of a joined part have at least this number of bytes.
  explicit ConcatenationChooser(int64_t leastRowBytes)
      : leastRowBytes(leastRowBytes) {}

  /// Returns true if a concatenation is to be joined (computed in place). Must
  /// be called in the order of the ops.
  bool shouldJoin(ConcatenationOpInterface op);
  /// Records whether the result of an op is certainly written to memory.
  void visit(Operation *op, bool isJoined);

private:
  bool canBePart(Value operand) const;

  int64_t leastRowBytes;
  /// Ops whose results are certainly written to memory: ops that fusion builds
  /// kernels around, and elementwise ops on their results.
  llvm::DenseSet<Operation *> written;
  /// Operands of the chosen concatenations.
  llvm::DenseSet<Value> parts;
};
} // namespace

void ConcatenationChooser::visit(Operation *op, bool isJoined) {
  bool isWritten = isJoined;
  if (isComputed(op) && !isa<ElementOpInterface>(op))
    isWritten = true;
  if (isElementwise(op))
    isWritten |= llvm::any_of(op->getOperands(), [&](Value operand) {
      return operand.getType() == op->getResult(0).getType() &&
             written.contains(operand.getDefiningOp());
    });
  if (isWritten)
    written.insert(op);
}

/// Returns true if a kernel can write the operand to a part of a larger buffer.
bool ConcatenationChooser::canBePart(Value operand) const {
  Operation *source = operand.getDefiningOp();
  return source && isComputed(source) && !parts.contains(operand) &&
         llvm::all_of(operand.getUsers(), isComputed);
}

bool ConcatenationChooser::shouldJoin(ConcatenationOpInterface op) {
  unsigned axis = op.getConcatenationAxis();
  int64_t total = 0, direct = 0;
  bool hasWrittenOperand = false;
  llvm::SmallDenseSet<Value> candidates;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> bytes = rowBytesOf(operand, axis);
    if (!bytes || *bytes < leastRowBytes)
      return false;
    total += *bytes;
    if (!canBePart(operand) || !candidates.insert(operand).second)
      continue;
    direct += *bytes;
    hasWrittenOperand |= written.contains(operand.getDefiningOp());
  }
  // If the other operands have more bytes than the candidates, copying them
  // costs more than computing in place saves.
  if (!hasWrittenOperand || 2 * direct < total || op->getNumOperands() < 2)
    return false;
  parts.insert_range(candidates);
  return true;
}

namespace {
struct JoinConcatenations
    : tg::impl::JoinConcatenationsBase<JoinConcatenations> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    llvm::SetVector<Operation *> chosen;
    PlanTarget target(function->getParentOfType<ModuleOp>());
    ConcatenationChooser chooser(target.getDescription().leastPartRowBytes);
    for (Operation &op : function.getBody().front()) {
      auto concatenation = dyn_cast<ConcatenationOpInterface>(op);
      bool isJoined = concatenation && chooser.shouldJoin(concatenation);
      if (isJoined)
        chosen.insert(&op);
      chooser.visit(&op, isJoined);
    }
    if (chosen.empty())
      return markAllAnalysesPreserved();
    FailureOr<FunctionSymbols> symbols = FunctionSymbols::create(function);
    if (failed(symbols))
      return signalPassFailure();
    // Record the entry checks of the concatenations before join() erases these
    // ops.
    recordEntryChecks(function, *symbols,
                      [&](Operation *op) { return chosen.contains(op); });
    for (Operation *op : chosen)
      join(cast<ConcatenationOpInterface>(op));
    joined += chosen.size();
  }

  static void join(ConcatenationOpInterface op) {
    OpBuilder builder(op);
    Value result = op->getResult(0);
    Value joined =
        tgx::JoinOp::create(builder, op->getLoc(), result.getType(),
                            op->getOperands(), op.getConcatenationAxis());
    result.replaceAllUsesWith(joined);
    op->erase();
  }
};
} // namespace
