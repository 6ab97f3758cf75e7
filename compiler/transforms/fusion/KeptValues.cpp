//===- KeptValues.cpp - what is kept from the forward to the backward pass ===//
#include "compiler/transforms/fusion/KeptValues.h"
#include "compiler/transforms/fusion/ClusterOrder.h"
#include "compiler/transforms/fusion/MinimumCut.h"
#include "compiler/transforms/fusion/OpChain.h"
#include "compiler/transforms/memory/PartPlace.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"

using namespace mlir;
using namespace tg;

/// How many places are looked at, each where most bytes are live then.
static constexpr unsigned kMostRounds = 4;

namespace {
/// The uses of a value behind a place.
struct LateUses {
  /// By kernels that may compute the value.
  ClusterUses uses;
  /// By all others: of the value, or of a view of it.
  SmallVector<OpOperand *> reads;
  /// Whether something else than a kernel needs the value there.
  bool isFixed = false;
};

/// A value that is made anew.
struct LateValue {
  OpChain chain;
  LateUses late;
  /// The cluster that writes it for those that only read it; null without any.
  Cluster *writer = nullptr;
};

/// The values that are live at a place of a function.
class Crossing {
public:
  Crossing(FusionPlan &plan, ExtentAnalysis &extents)
      : plan(plan), extents(extents), order(plan) {}

  /// Keeps less where most is live; the number of values that are not kept.
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
  /// The last position before the place.
  unsigned place = 0;
  /// Values of clusters up to there that are used behind it, in order.
  SmallVector<Value> values;
  /// Of these, those that must be kept.
  llvm::DenseSet<Value> fixed;
};
} // namespace

//===----------------------------------------------------------------------===//
// The place and its values
//===----------------------------------------------------------------------===//

/// The position at which most bytes are live; false where nothing is.
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

/// Whether the value may be computed behind the place from what its op reads:
/// parts of joins stay as long as these anyway.
bool Crossing::isRepeated(Value value) const {
  return isEarly(value.getDefiningOp()) &&
         isCheapToRepeat(value.getDefiningOp()) && !fixed.contains(value) &&
         !placeOf(value).join;
}

/// Adds what reads the memory of a value, which views keep.
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

/// The bytes of a value if it is kept: none for inputs, variables and
/// constants, nor for views and joins that are kept anyway.
int64_t Crossing::costOf(Value value) const {
  Operation *op = value.getDefiningOp();
  bool isFree =
      !plan.clusterOf(op) && (!op || !isa<ViewOpInterface, tgx::JoinOp>(op) ||
                              order.lastUseOf(value) > place);
  return isFree ? 0 : countBytes(value);
}

/// The values of the fewest bytes from which those of the place can be made.
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
// What is made anew
//===----------------------------------------------------------------------===//

/// Chooses the first cluster that computes the value and can run before those
/// that only read it. False where there is none.
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

/// Whether no more bytes are read and written.
bool Crossing::saves(const LateValue &value) const {
  const OpChain &chain = value.chain;
  int64_t bytes = chain.countBytes(chain.getValue());
  int64_t moved = chain.countWrittenBytes();
  for (const auto &entry : value.late.uses)
    moved += chain.countAddedBytes(*entry.first) - bytes;
  return moved + (value.writer ? bytes : 0) <= 0;
}

/// How a value is made anew of what is kept; none where it is better kept, too.
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

/// The same view of another value.
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

/// False, and nothing changed, where others that were made anew are in the way.
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
      // What follows may begin with it, and the rest is cut again.
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
  for (unsigned round = 0; round < kMostRounds; ++round) {
    unsigned found = Crossing(plan, extents).keepLess();
    if (found == 0)
      break;
    count += found;
  }
  return count;
}
