//===- UpdateRows.cpp - updates of the used rows of tables ----------------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/gradient/RowGradient.h"
#include "compiler/transforms/loops/NestedBlocks.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/movement/DataMovementOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tg {
#define GEN_PASS_DEF_UPDATEROWS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
/// Some rows of a table: their indices, and the updates added to each.
struct Rows {
  Value indices, updates;
};
} // namespace

/// Returns the rows of a gradient as a list: indices [n] and updates [n, ...].
static Rows buildList(ImplicitLocOpBuilder &b, ScatterOp gradient) {
  Value indices = gradient.getIndices();
  Value updates = gradient.getUpdates();
  if (typeOf(indices).getRank() == 1)
    return {indices, updates};
  SmallVector<int64_t> shape = {-1};
  llvm::append_range(shape, gradient.getType().getShape().drop_front());
  return {ReshapeOp::create(b, indices, ValueRange(), SmallVector<int64_t>{-1}),
          ReshapeOp::create(b, updates, ValueRange(), shape)};
}

namespace {
/// Repeats computations of a whole table for some of its rows.
class RowChains {
public:
  /// `updates` replaces the gradient in the rows of `indices`.
  RowChains(const RowGradient &gradient, const Rows &rows)
      : gradient(gradient), rows(rows) {
    built.map(gradient.getGradient().getResult(), rows.updates);
  }

  /// Treats a value of the table's shape as 0.
  void setZero(Value value) { zero = value; }
  /// Returns the rows of a value that depends on the gradient.
  Value build(Value value);

private:
  Value operandOf(OpBuilder &builder, Value operand);

  const RowGradient &gradient;
  Rows rows;
  Value zero;
  IRMapping built;
};
} // namespace

/// Returns the operand of the op on rows: the rows of an operand of the table's
/// shape, otherwise the operand itself.
Value RowChains::operandOf(OpBuilder &builder, Value operand) {
  if (Value known = built.lookupOrNull(operand))
    return known;
  if (!gradient.hasRows(operand))
    return operand;
  std::optional<double> number = findNumber(operand);
  if (operand == zero)
    number = 0;
  if (number)
    return buildBroadcastLike(
        builder, buildScalarLike(builder, operand, *number), rows.updates);
  return GatherOp::create(builder, operand.getLoc(), operand, rows.indices,
                          /*axis=*/0, /*batch_dims=*/0);
}

Value RowChains::build(Value value) {
  for (Value each : gradient.findChain(value)) {
    if (built.contains(each))
      continue;
    Operation *op = each.getDefiningOp();
    OpBuilder builder(op);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(operandOf(builder, operand));
    Operation *copy = buildOnOperands(builder, op, operands);
    built.map(each, copy->getResult(0));
  }
  return built.lookup(value);
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

namespace {
/// Replaces the values that depend on one gradient by values computed from its
/// rows.
class RowUpdater {
public:
  explicit RowUpdater(const RowGradient &gradient)
      : gradient(gradient), scatter(gradient.getGradient()) {}

  /// Returns the number of assignments and reductions that are computed from
  /// rows.
  unsigned run();

private:
  bool needsSums() const;
  bool isWorthSums();
  void sumEqualRows();
  void addRows(AssignOp assign);
  void setRows(AssignOp assign);
  void reduceRows(ReductionOpInterface reduction);
  void write(AssignOp assign, const Rows &updates, StringRef combine);

  const RowGradient &gradient;
  ScatterOp scatter;
  /// The updates of rows. If sums are needed, the sum of all updates of a row
  /// is at its first occurrence, and later occurrences have 0.
  Rows added;
  /// The same with the sum at every occurrence of a row.
  Rows repeated;
  /// The computations from both.
  std::optional<RowChains> addedChains, repeatedChains;
};
} // namespace

/// Returns true if all updates of a row must be summed first: for reductions,
/// and for functions that are not linear.
bool RowUpdater::needsSums() const {
  return !gradient.getReductions().empty() ||
         !llvm::all_of(gradient.getAssigns(), [&](AssignOp assign) {
           return gradient.isLinear(assign);
         });
}

/// Returns true if summing equal rows pays off: the updates must not exceed
/// half of the rows of the table.
bool RowUpdater::isWorthSums() {
  RankedTensorType indices = scatter.getIndices().getType();
  return !indices.hasStaticShape() ||
         indices.getNumElements() <= scatter.getType().getDimSize(0) / 2;
}

/// Sums all updates of each row, in their original order.
void RowUpdater::sumEqualRows() {
  ImplicitLocOpBuilder b(scatter.getLoc(), scatter);
  b.setInsertionPointAfter(scatter);
  auto [indices, updates] = buildList(b, scatter);
  auto firstType = typeOf(indices).clone(b.getI64Type());
  Value first = tgx::FirstEqualOp::create(b, firstType, indices);
  Value sums = ScatterOp::create(b, buildZerosLike(b, updates), first, updates,
                                 /*axis=*/0, /*batch_dims=*/0);
  Value all = GatherOp::create(b, sums, first, /*axis=*/0, /*batch_dims=*/0);
  added = {indices, sums};
  repeated = {indices, all};
  addedChains.emplace(gradient, added);
  repeatedChains.emplace(gradient, repeated);
}

void RowUpdater::write(AssignOp assign, const Rows &updates,
                       StringRef combine) {
  ImplicitLocOpBuilder b(assign.getLoc(), assign);
  assign.getValueMutable().assign(ScatterOp::create(
      b, gradient.oldOf(assign), updates.indices, updates.updates, /*axis=*/0,
      /*batch_dims=*/0, combine));
}

/// Replaces old table + f(gradient), with linear f, by adding f(rows) to the
/// table.
void RowUpdater::addRows(AssignOp assign) {
  RowChains chains(gradient, added);
  chains.setZero(gradient.oldOf(assign));
  Value rows = chains.build(assign.getValue());
  write(assign, {added.indices, rows}, "add");
}

/// Replaces f(table, gradient) by setting rows of the table to f(rows of the
/// table, sums of updates). A row that is set twice is set to the same value.
void RowUpdater::setRows(AssignOp assign) {
  Value rows = repeatedChains->build(assign.getValue());
  write(assign, {repeated.indices, rows}, "set");
}

void RowUpdater::reduceRows(ReductionOpInterface reduction) {
  Value input = addedChains->build(reduction->getOperand(0));
  OpBuilder builder(reduction);
  Operation *copy = buildOnOperands(builder, reduction, input);
  reduction->replaceAllUsesWith(copy->getResults());
}

unsigned RowUpdater::run() {
  bool hasSums = needsSums();
  if (hasSums && !isWorthSums())
    return 0;
  added = {scatter.getIndices(), scatter.getUpdates()};
  if (hasSums)
    sumEqualRows();
  for (ReductionOpInterface reduction : gradient.getReductions())
    reduceRows(reduction);
  for (AssignOp assign : gradient.getAssigns())
    gradient.isLinear(assign) ? addRows(assign) : setRows(assign);
  return gradient.getAssigns().size() + gradient.getReductions().size();
}

//===----------------------------------------------------------------------===//
// Sums of gradients
//===----------------------------------------------------------------------===//

/// Returns the rows of one gradient, followed by the rows of another one.
static Rows buildBoth(ImplicitLocOpBuilder &b, const Rows &first,
                      const Rows &second) {
  SmallVector<Value> indices = {first.indices, second.indices};
  if (typeOf(indices[0]).getElementType() !=
      typeOf(indices[1]).getElementType())
    for (Value &list : indices)
      list = CastOp::create(b, list, b.getI64Type());
  return {ConcatOp::create(b, indices, /*axis=*/0),
          ConcatOp::create(b, ValueRange{first.updates, second.updates},
                           /*axis=*/0)};
}

/// Returns the row gradient that only the sum uses; null for other values.
static ScatterOp findTerm(Value value, AddOp sum) {
  auto scatter = value.getDefiningOp<ScatterOp>();
  bool isTerm = scatter && value.hasOneUse() && isRowGradient(scatter) &&
                value.getType() == sum.getType();
  return isTerm ? scatter : ScatterOp();
}

/// Replaces the sum of the gradients of two lookups in a table by one gradient
/// of both.
static void joinGradients(AddOp sum) {
  ScatterOp left = findTerm(sum.getLhs(), sum);
  ScatterOp right = findTerm(sum.getRhs(), sum);
  if (!left || !right)
    return;
  ImplicitLocOpBuilder b(sum.getLoc(), sum);
  auto [indices, updates] =
      buildBoth(b, buildList(b, left), buildList(b, right));
  sum.replaceAllUsesWith(ScatterOp::create(b, left.getBase(), indices, updates,
                                           /*axis=*/0, /*batch_dims=*/0)
                             .getResult());
}

/// Replaces the sum of a row gradient and another value by adding the rows to
/// this value.
static bool addToOther(AddOp sum) {
  for (auto [term, other] :
       {std::pair(sum.getLhs(), sum.getRhs()), {sum.getRhs(), sum.getLhs()}}) {
    ScatterOp gradient = findTerm(term, sum);
    if (!gradient || other.getType() != sum.getType())
      continue;
    ImplicitLocOpBuilder b(sum.getLoc(), sum);
    sum.replaceAllUsesWith(ScatterOp::create(b, other, gradient.getIndices(),
                                             gradient.getUpdates(), /*axis=*/0,
                                             /*batch_dims=*/0)
                               .getResult());
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Visits the ops of one kind, then erases unused ops.
template <typename Op>
static void visit(Block &block, function_ref<void(Op)> each) {
  for (Op op : llvm::to_vector(block.getOps<Op>()))
    each(op);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

namespace {
struct UpdateRows : tg::impl::UpdateRowsBase<UpdateRows> {
  void runOnOperation() override {
    forEachBlock(getOperation(), [&](Block &block) { run(block); });
  }

  void run(Block &block) {
    visit<AddOp>(block, [](AddOp sum) { joinGradients(sum); });
    visit<ScatterOp>(block, [&](ScatterOp scatter) {
      if (!isRowGradient(scatter))
        return;
      if (auto gradient = RowGradient::find(scatter))
        valuesReplaced += RowUpdater(*gradient).run();
    });
    visit<AddOp>(block, [&](AddOp sum) { sumsInPlace += addToOther(sum); });
  }
};
} // namespace
