//===- UpdateRows.cpp - updates of tables on the rows that were used ------===//
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
/// Some rows of a table: which ones, and what is added to each.
struct Rows {
  Value indices, updates;
};
} // namespace

/// The same, one after the other: [n], and [n, ...].
static Rows buildList(ImplicitLocOpBuilder &b, ScatterOp gradient) {
  Value indices = gradient.getIndices(), updates = gradient.getUpdates();
  if (typeOf(indices).getRank() == 1)
    return {indices, updates};
  SmallVector<int64_t> shape = {-1};
  llvm::append_range(shape, gradient.getType().getShape().drop_front());
  return {ReshapeOp::create(b, indices, ValueRange(), SmallVector<int64_t>{-1}),
          ReshapeOp::create(b, updates, ValueRange(), shape)};
}

namespace {
/// Computes of rows what is computed of a whole table.
class RowChains {
public:
  /// `updates` stand for the gradient in the rows of `indices`.
  RowChains(const RowGradient &gradient, const Rows &rows)
      : gradient(gradient), rows(rows) {
    built.map(gradient.getGradient().getResult(), rows.updates);
  }

  /// Lets a value of the table be 0.
  void setZero(Value value) { zero = value; }
  /// The rows of a value that follows from the gradient.
  Value build(Value value);

private:
  Value operandOf(OpBuilder &builder, Value operand);

  const RowGradient &gradient;
  Rows rows;
  Value zero;
  IRMapping built;
};
} // namespace

/// What an op takes for the operand: rows where that is of the table's shape.
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
/// Replaces what follows from one gradient by what follows from its rows.
class RowUpdater {
public:
  explicit RowUpdater(const RowGradient &gradient)
      : gradient(gradient), scatter(gradient.getGradient()) {}

  /// The number of assigns and reductions that are computed of rows.
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
  /// What is added to rows: as it came, or, where sums are needed, all of it in
  /// the place of the first of equal ones, and 0 in those of the others.
  Rows added;
  /// The same in the places of all equal ones.
  Rows repeated;
  /// What follows from both.
  std::optional<RowChains> addedChains, repeatedChains;
};
} // namespace

/// Equal rows must be found where a function is not linear, or all that is
/// added to a row must be known.
bool RowUpdater::needsSums() const {
  return !gradient.getReductions().empty() ||
         !llvm::all_of(gradient.getAssigns(), [&](AssignOp assign) {
           return gradient.isLinear(assign);
         });
}

/// Rows that are taken one by one should not be more than those of the table.
bool RowUpdater::isWorthSums() {
  RankedTensorType indices = scatter.getIndices().getType();
  return !indices.hasStaticShape() ||
         indices.getNumElements() <= scatter.getType().getDimSize(0) / 2;
}

/// All that is added to a row, in the order in which it came.
void RowUpdater::sumEqualRows() {
  ImplicitLocOpBuilder b(scatter.getLoc(), scatter);
  b.setInsertionPointAfter(scatter);
  auto [indices, updates] = buildList(b, scatter);
  auto places = typeOf(indices).clone(b.getI64Type());
  Value first = tgx::FirstEqualOp::create(b, places, indices);
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

/// The old table and f(gradient), linear => the table with f(rows) added.
void RowUpdater::addRows(AssignOp assign) {
  RowChains chains(gradient, added);
  chains.setZero(gradient.oldOf(assign));
  Value rows = chains.build(assign.getValue());
  write(assign, {added.indices, rows}, "add");
}

/// f(table, gradient) => the table with f(its rows, all that is added to each)
/// set. What is set twice is set to the same.
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

/// Rows of one gradient, then those of another one.
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

/// A gradient that nothing but the sum uses; null for other values.
static ScatterOp findTerm(Value value, AddOp sum) {
  auto scatter = value.getDefiningOp<ScatterOp>();
  bool isTerm = scatter && value.hasOneUse() && isRowGradient(scatter) &&
                value.getType() == sum.getType();
  return isTerm ? scatter : ScatterOp();
}

/// The sum of the gradients of two lookups in a table => one of both.
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

/// The sum of such a gradient and anything else => the rows added to that.
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

/// Visits the ops of a kind; what nothing uses afterwards goes away.
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
