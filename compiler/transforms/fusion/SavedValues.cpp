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

/// The values that are live at the peak of live bytes, and the cheapest cut of
/// them.
class PeakCut {
public:
  PeakCut(FusionPlan &plan, ExtentAnalysis &extents)
      : plan(plan), extents(extents), order(plan) {}

  /// Saves fewer values at the peak. Returns the number of values that are no
  /// longer saved.
  unsigned saveFewerValues();

private:
  bool findPeak();
  void findValues();
  bool isEarly(Operation *op) const;
  bool isRecomputable(Value value) const;
  LateUses findLateUses(Value value) const;
  void addReads(Value value, LateUses &late) const;
  int64_t costOf(Value value) const;
  llvm::DenseSet<Value> findCut() const;
  std::optional<LateValue> rematerialize(Value value,
                                         const llvm::DenseSet<Value> &saved);
  bool findWriter(LateValue &value);
  bool addsNoTraffic(const LateValue &value) const;
  bool apply(const LateValue &value);
  Value copyViews(Value value, Value root, Value newRoot);
  int64_t countBytes(Value value) const {
    return plannedNumber(extents.countBytes(value));
  }

  FusionPlan &plan;
  ExtentAnalysis &extents;
  ClusterOrder order;
  /// The last position before the cut.
  unsigned peak = 0;
  /// Values of clusters up to `peak` that are used after it, in order.
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
bool PeakCut::findPeak() {
  llvm::MapVector<Value, std::pair<unsigned, unsigned>> lifetimes;
  for (ClusterOrder::Node node : order.get()) {
    auto *cluster = dyn_cast<Cluster *>(node);
    if (!cluster)
      continue;
    unsigned position = order.positionOf(cluster);
    for (Operation *op : cluster->ops)
      for (Value result : op->getResults())
        if (unsigned last = order.lastUseOf(result); last > position) {
          Value memory = placeOf(result).memory;
          auto &life =
              lifetimes.insert({memory, {position, last}}).first->second;
          life.second = std::max(life.second, last);
        }
  }
  std::vector<int64_t> changes(order.getEnd() + 2);
  for (auto [memory, life] : lifetimes) {
    if (life.second == order.getEnd())
      continue; // an output or a variable
    changes[life.first] += countBytes(memory);
    changes[life.second + 1] -= countBytes(memory);
  }
  int64_t live = 0, maximum = 0;
  for (unsigned position = 0; position < changes.size(); ++position)
    if ((live += changes[position]) > maximum) {
      maximum = live;
      peak = position;
    }
  return maximum > 0;
}

bool PeakCut::isEarly(Operation *op) const {
  Cluster *cluster = plan.clusterOf(op);
  return cluster && order.positionOf(cluster) <= peak;
}

void PeakCut::findValues() {
  for (ClusterOrder::Node node : order.get())
    if (auto *cluster = dyn_cast<Cluster *>(node))
      if (order.positionOf(cluster) <= peak)
        for (Operation *op : cluster->ops)
          for (Value result : op->getResults())
            if (order.lastUseOf(result) > peak)
              values.push_back(result);
}

/// Returns true if the value may be computed after `peak` from the operands of
/// its op. Parts of joins are excluded, because they live as long as the join
/// in any case.
bool PeakCut::isRecomputable(Value value) const {
  return isEarly(value.getDefiningOp()) &&
         isCheapToRecompute(value.getDefiningOp()) && !fixed.contains(value) &&
         !placeOf(value).join;
}

/// Adds the uses that read the memory of a value. Views are followed, because
/// they share its memory.
void PeakCut::addReads(Value value, LateUses &late) const {
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

LateUses PeakCut::findLateUses(Value value) const {
  LateUses late;
  addReads(value, late);
  return late;
}

//===----------------------------------------------------------------------===//
// The cut
//===----------------------------------------------------------------------===//

/// Returns the bytes that saving a value costs: 0 for inputs, variables and
/// constants, and for views and joins that live beyond `peak` in any case.
int64_t PeakCut::costOf(Value value) const {
  Operation *op = value.getDefiningOp();
  bool isFree =
      !plan.clusterOf(op) && (!op || !isa<ViewOpInterface, tgx::JoinOp>(op) ||
                              order.lastUseOf(value) > peak);
  return isFree ? 0 : countBytes(value);
}

/// Returns the cheapest set of values from which all values that are live at
/// `peak` can be computed.
llvm::DenseSet<Value> PeakCut::findCut() const {
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
  for (unsigned index = 0; index < nodes.size(); ++index) {
    auto [value, node] = *(nodes.begin() + index);
    if (!isRecomputable(value)) {
      cut.addSource(node);
      continue;
    }
    for (Value operand : value.getDefiningOp()->getOperands())
      if (Operation *source = operand.getDefiningOp();
          !source || !isClonedIntoKernels(source))
        cut.addEdge(nodeOf(operand), node);
  }
  llvm::DenseSet<Value> saved;
  for (MinimumCut::Node node : cut.find())
    saved.insert((nodes.begin() + node)->first);
  return saved;
}

//===----------------------------------------------------------------------===//
// Rematerialization
//===----------------------------------------------------------------------===//

/// Chooses the first cluster that computes the value and can run before the
/// clusters that only read it. Returns false if there is none.
bool PeakCut::findWriter(LateValue &value) {
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
bool PeakCut::addsNoTraffic(const LateValue &value) const {
  const OpChain &chain = value.chain;
  int64_t bytes = chain.countBytes(chain.getValue());
  int64_t traffic = chain.countWrittenBytes();
  for (const auto &entry : value.late.uses)
    traffic += chain.countAddedBytes(*entry.first) - bytes;
  return traffic + (value.writer ? bytes : 0) <= 0;
}

/// Returns the rematerialization of a value from the saved values `saved`; none
/// if it is better to save this value as well.
std::optional<LateValue>
PeakCut::rematerialize(Value value, const llvm::DenseSet<Value> &saved) {
  LateValue result{OpChain(value, plan, extents,
                           [&](Value each) {
                             return saved.contains(each) ||
                                    !isRecomputable(each);
                           }),
                   {}};
  LateUses late = findLateUses(value);
  if (late.isFixed)
    return std::nullopt;
  for (OpOperand *use : late.reads) {
    Cluster *user = plan.clusterOf(use->getOwner());
    if (use->get() == value && result.chain.fitsInto(*user, *use))
      result.late.uses[user].push_back(use);
    else
      result.late.reads.push_back(use);
  }
  if (result.late.uses.empty() || !result.chain.isShort() ||
      !findWriter(result) || !addsNoTraffic(result))
    return std::nullopt;
  return result;
}

/// Builds the same view of another value.
Value PeakCut::copyViews(Value value, Value root, Value newRoot) {
  if (value == root)
    return newRoot;
  auto view = value.getDefiningOp<ViewOpInterface>();
  Value viewed = view.getViewedOperand().get();
  IRMapping mapping;
  mapping.map(viewed, copyViews(viewed, root, newRoot));
  Operation *copy = OpBuilder(view).clone(*view, mapping);
  extents.setExtents(copy->getResult(0),
                     SmallVector<AffineExpr>(extents.extentsOf(value)));
  return copy->getResult(0);
}

/// Returns false, and changes nothing, if other rematerialized values prevent
/// the order of clusters.
bool PeakCut::apply(const LateValue &value) {
  if (llvm::any_of(value.late.reads, [&](OpOperand *use) {
        Cluster *reader = plan.clusterOf(use->getOwner());
        return !plan.canPrecede(*value.writer, *reader);
      }))
    return false;
  Value root = value.chain.getValue();
  Value written;
  for (const auto &[cluster, uses] : value.late.uses) {
    Value copy = value.chain.copyInto(*cluster, plan, extents);
    for (OpOperand *use : uses)
      use->set(copy);
    if (cluster == value.writer)
      written = copy;
  }
  for (OpOperand *use : value.late.reads) {
    plan.addOrder(*value.writer, *plan.clusterOf(use->getOwner()));
    use->set(copyViews(use->get(), root, written));
  }
  return true;
}

unsigned PeakCut::saveFewerValues() {
  if (!findPeak())
    return 0;
  findValues();
  std::vector<LateValue> recomputed;
  for (bool isDone = false; !isDone;) {
    isDone = true;
    recomputed.clear();
    llvm::DenseSet<Value> saved = findCut();
    for (Value value : values) {
      if (saved.contains(value) || !isRecomputable(value))
        continue;
      if (std::optional<LateValue> late = rematerialize(value, saved)) {
        recomputed.push_back(std::move(*late));
        continue;
      }
      // Other values may be computed from this one now, so the cut is repeated
      // for the rest.
      saved.insert(value);
      fixed.insert(value);
      isDone = false;
    }
  }
  return llvm::count_if(recomputed,
                        [&](const LateValue &value) { return apply(value); });
}

unsigned tg::saveFewerValues(FusionPlan &plan, ExtentAnalysis &extents) {
  unsigned count = 0;
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    unsigned found = PeakCut(plan, extents).saveFewerValues();
    if (found == 0)
      break;
    count += found;
  }
  return count;
}
