//===- SavedValues.cpp - values saved for the backward pass ---------------===//
#include "compiler/transforms/fusion/SavedValues.h"
#include "compiler/transforms/fusion/ClusterOrder.h"
#include "compiler/transforms/fusion/MinimumCut.h"
#include "compiler/transforms/fusion/OpChain.h"
#include "compiler/transforms/memory/PartPlace.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"

using namespace mlir;
using namespace tg;

/// The number of positions that are examined, each at the peak of live bytes
/// that remains.
static constexpr unsigned kMaxRounds = 4;

namespace {
/// The uses of a value after the examined position.
struct LateUses {
  /// Uses by kernels that may compute the value.
  ClusterUses uses;
  /// All other uses, of the value or of a view of it.
  SmallVector<OpOperand *> reads;
  /// True if an op outside of kernels uses the value there.
  bool isFixed = false;
};

/// A value that is rematerialized.
struct LateValue {
  OpChain chain;
  LateUses late;
  /// The cluster that writes the value for the clusters that only read it; null
  /// if there are none.
  Cluster *writer = nullptr;
};

/// The values that are live at a position of a function.
class Crossing {
public:
  Crossing(FusionPlan &plan, ExtentAnalysis &extents)
      : plan(plan), extents(extents), order(plan) {}

  /// Saves fewer values at the peak. Returns the number of values that are no
  /// longer saved.
  unsigned keepLess();

private:
  bool findPlace();
  void findValues();
  bool isEarly(Operation *op) const;
  bool isRepeated(Value value) const;
  LateUses findLateUses(Value value) const;
  void addReads(Value value, LateUses &late) const;
  int64_t costOf(Value value) const;
  llvm::DenseSet<Value> findCut() const;
  std::optional<LateValue> makeAnew(Value value,
                                    const llvm::DenseSet<Value> &kept);
  bool findWriter(LateValue &value);
  bool saves(const LateValue &value) const;
  bool apply(const LateValue &value);
  Value viewAnew(Value value, Value root, Value newRoot);
  int64_t countBytes(Value value) const {
    return plannedNumber(extents.countBytes(value));
  }

  FusionPlan &plan;
  ExtentAnalysis &extents;
  ClusterOrder order;
  /// The last position before the cut.
  unsigned place = 0;
  /// Values of clusters up to `place` that are used after it, in order.
  SmallVector<Value> values;
  /// The values among them that must be saved.
  llvm::DenseSet<Value> fixed;
};
} // namespace

//===----------------------------------------------------------------------===//
// The position and its values
//===----------------------------------------------------------------------===//

/// Finds the position with the most live bytes. Returns false if nothing is
/// live.
bool Crossing::findPlace() {
  llvm::MapVector<Value, std::pair<unsigned, unsigned>> lives;
  for (ClusterOrder::Node node : order.get()) {
    auto *cluster = dyn_cast<Cluster *>(node);
    if (!cluster)
      continue;
    unsigned position = order.positionOf(cluster);
    for (Operation *op : cluster->ops)
      for (Value result : op->getResults())
        if (unsigned last = order.lastUseOf(result); last > position) {
          Value memory = placeOf(result).memory;
          auto &life = lives.insert({memory, {position, last}}).first->second;
          life.second = std::max(life.second, last);
        }
  }
  std::vector<int64_t> changes(order.getEnd() + 2);
  for (auto [memory, life] : lives) {
    if (life.second == order.getEnd())
      continue; // an output or a variable
    changes[life.first] += countBytes(memory);
    changes[life.second + 1] -= countBytes(memory);
  }
  int64_t live = 0, most = 0;
  for (unsigned position = 0; position < changes.size(); ++position)
    if ((live += changes[position]) > most) {
      most = live;
      place = position;
    }
  return most > 0;
}

bool Crossing::isEarly(Operation *op) const {
  Cluster *cluster = plan.clusterOf(op);
  return cluster && order.positionOf(cluster) <= place;
}

void Crossing::findValues() {
  for (ClusterOrder::Node node : order.get())
    if (auto *cluster = dyn_cast<Cluster *>(node))
      if (order.positionOf(cluster) <= place)
        for (Operation *op : cluster->ops)
          for (Value result : op->getResults())
            if (order.lastUseOf(result) > place)
              values.push_back(result);
}

/// Returns true if the value may be computed after `place` from the operands of
/// its op. Parts of joins are excluded, because they live as long as the join
/// in any case.
bool Crossing::isRepeated(Value value) const {
  return isEarly(value.getDefiningOp()) &&
         isCheapToRecompute(value.getDefiningOp()) && !fixed.contains(value) &&
         !placeOf(value).join;
}

/// Adds the uses that read the memory of a value. Views are followed, because
/// they share its memory.
void Crossing::addReads(Value value, LateUses &late) const {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    auto view = dyn_cast<ViewOpInterface>(user);
    if (view && &view.getViewedOperand() == &use)
      addReads(user->getResult(0), late);
    else if (!plan.clusterOf(user))
      late.isFixed = true;
    else if (!isEarly(user))
      late.reads.push_back(&use);
  }
}

LateUses Crossing::findLateUses(Value value) const {
  LateUses late;
  addReads(value, late);
  return late;
}

//===----------------------------------------------------------------------===//
// The cut
//===----------------------------------------------------------------------===//

/// Returns the bytes that saving a value costs: 0 for inputs, variables and
/// constants, and for views and joins that live beyond `place` in any case.
int64_t Crossing::costOf(Value value) const {
  Operation *op = value.getDefiningOp();
  bool isFree =
      !plan.clusterOf(op) && (!op || !isa<ViewOpInterface, tgx::JoinOp>(op) ||
                              order.lastUseOf(value) > place);
  return isFree ? 0 : countBytes(value);
}

/// Returns the cheapest set of values from which all values that are live at
/// `place` can be computed.
llvm::DenseSet<Value> Crossing::findCut() const {
  MinimumCut cut;
  llvm::MapVector<Value, MinimumCut::Node> nodes;
  auto nodeOf = [&](Value value) {
    auto [entry, isNew] = nodes.insert({value, 0});
    if (isNew)
      entry->second = cut.addNode(costOf(value));
    return entry->second;
  };
  for (Value value : values)
    cut.addSink(nodeOf(value));
  for (unsigned number = 0; number < nodes.size(); ++number) {
    auto [value, node] = *(nodes.begin() + number);
    if (!isRepeated(value)) {
      cut.addSource(node);
      continue;
    }
    for (Value operand : value.getDefiningOp()->getOperands())
      if (Operation *source = operand.getDefiningOp();
          !source || !isClonedIntoKernels(source))
        cut.addEdge(nodeOf(operand), node);
  }
  llvm::DenseSet<Value> kept;
  for (MinimumCut::Node node : cut.find())
    kept.insert((nodes.begin() + node)->first);
  return kept;
}

//===----------------------------------------------------------------------===//
// Rematerialization
//===----------------------------------------------------------------------===//

/// Chooses the first cluster that computes the value and can run before the
/// clusters that only read it. Returns false if there is none.
bool Crossing::findWriter(LateValue &value) {
  if (value.late.reads.empty())
    return true;
  for (const auto &entry : value.late.uses) {
    bool isFirst = llvm::all_of(value.late.reads, [&](OpOperand *use) {
      Cluster *reader = plan.clusterOf(use->getOwner());
      return reader != entry.first && plan.canPrecede(*entry.first, *reader);
    });
    if (isFirst && (!value.writer || order.positionOf(entry.first) <
                                         order.positionOf(value.writer)))
      value.writer = entry.first;
  }
  return value.writer;
}

/// Returns true if rematerialization does not read and write more bytes.
bool Crossing::saves(const LateValue &value) const {
  const OpChain &chain = value.chain;
  int64_t bytes = chain.countBytes(chain.getValue());
  int64_t moved = chain.countWrittenBytes();
  for (const auto &entry : value.late.uses)
    moved += chain.countAddedBytes(*entry.first) - bytes;
  return moved + (value.writer ? bytes : 0) <= 0;
}

/// Returns the rematerialization of a value from the saved values `kept`; none
/// if it is better to save this value as well.
std::optional<LateValue> Crossing::makeAnew(Value value,
                                            const llvm::DenseSet<Value> &kept) {
  LateValue anew{OpChain(value, plan, extents,
                         [&](Value each) {
                           return kept.contains(each) || !isRepeated(each);
                         }),
                 {}};
  LateUses late = findLateUses(value);
  if (late.isFixed)
    return std::nullopt;
  for (OpOperand *use : late.reads) {
    Cluster *user = plan.clusterOf(use->getOwner());
    if (use->get() == value && anew.chain.fitsInto(*user, *use))
      anew.late.uses[user].push_back(use);
    else
      anew.late.reads.push_back(use);
  }
  if (anew.late.uses.empty() || !anew.chain.isShort() || !findWriter(anew) ||
      !saves(anew))
    return std::nullopt;
  return anew;
}

/// Builds the same view of another value.
Value Crossing::viewAnew(Value value, Value root, Value newRoot) {
  if (value == root)
    return newRoot;
  auto view = value.getDefiningOp<ViewOpInterface>();
  Value viewed = view.getViewedOperand().get();
  IRMapping mapping;
  mapping.map(viewed, viewAnew(viewed, root, newRoot));
  Operation *anew = OpBuilder(view).clone(*view, mapping);
  extents.setExtents(anew->getResult(0),
                     SmallVector<AffineExpr>(extents.extentsOf(value)));
  return anew->getResult(0);
}

/// Returns false, and changes nothing, if other rematerialized values prevent
/// the order of clusters.
bool Crossing::apply(const LateValue &value) {
  if (llvm::any_of(value.late.reads, [&](OpOperand *use) {
        Cluster *reader = plan.clusterOf(use->getOwner());
        return !plan.canPrecede(*value.writer, *reader);
      }))
    return false;
  Value root = value.chain.getValue(), written;
  for (const auto &[cluster, uses] : value.late.uses) {
    Value copy = value.chain.copyInto(*cluster, plan, extents);
    for (OpOperand *use : uses)
      use->set(copy);
    if (cluster == value.writer)
      written = copy;
  }
  for (OpOperand *use : value.late.reads) {
    plan.setOrder(*value.writer, *plan.clusterOf(use->getOwner()));
    use->set(viewAnew(use->get(), root, written));
  }
  return true;
}

unsigned Crossing::keepLess() {
  if (!findPlace())
    return 0;
  findValues();
  std::vector<LateValue> anew;
  for (bool isDone = false; !isDone;) {
    isDone = true;
    anew.clear();
    llvm::DenseSet<Value> kept = findCut();
    for (Value value : values) {
      if (kept.contains(value) || !isRepeated(value))
        continue;
      if (std::optional<LateValue> late = makeAnew(value, kept)) {
        anew.push_back(std::move(*late));
        continue;
      }
      // Other values may be computed from this one now, so the cut is repeated
      // for the rest.
      kept.insert(value);
      fixed.insert(value);
      isDone = false;
    }
  }
  return llvm::count_if(anew,
                        [&](const LateValue &value) { return apply(value); });
}

unsigned tg::keepLess(FusionPlan &plan, ExtentAnalysis &extents) {
  unsigned count = 0;
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    unsigned found = Crossing(plan, extents).keepLess();
    if (found == 0)
      break;
    count += found;
  }
  return count;
}
