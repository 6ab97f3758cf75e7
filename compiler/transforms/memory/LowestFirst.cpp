//===- LowestFirst.cpp - placement at the lowest free offsets -------------===//
#include "compiler/transforms/memory/MemoryPlacement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <limits>
#include <map>
#include <set>

using namespace tg;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Waiting buffers
//===----------------------------------------------------------------------===//

namespace {
/// The buffers that are not placed yet. Finds the buffer of the highest
/// priority whose lifetime lies in a range of steps, with a segment tree over
/// the buffers sorted by first steps.
class WaitingBuffers {
public:
  WaitingBuffers(ArrayRef<Lifetime> buffers, ArrayRef<unsigned> order);

  /// Removes and returns the buffer of the highest priority that is live only
  /// in steps of [first, last]; none if there is none.
  std::optional<unsigned> takeWithin(unsigned first, unsigned last);

private:
  static constexpr unsigned kNone = std::numeric_limits<unsigned>::max();

  /// The buffers of a node, sorted by last steps, and the best priorities of
  /// their ranges: a tree of the same kind, in which node n has children 2n and
  /// 2n + 1.
  struct Node {
    std::vector<unsigned> members, best;
  };

  void fill(Node &node);
  unsigned findBest(const Node &node, unsigned last) const;
  void remove(unsigned buffer);
  bool endsBefore(unsigned a, unsigned b) const {
    return std::pair(buffers[a].last, a) < std::pair(buffers[b].last, b);
  }

  ArrayRef<Lifetime> buffers;
  ArrayRef<unsigned> order;
  /// For each buffer, its position in the order and its position among the
  /// buffers sorted by first steps; and these sorted buffers.
  std::vector<unsigned> rankOf, leafOf, sorted;
  std::vector<Node> nodes;
};

/// The top of the placed buffers, as one height per step.
class Surface {
public:
  /// A range of steps, [first, last], with one height.
  struct Plateau {
    unsigned first, last;
    int64_t height;
  };

  explicit Surface(unsigned steps) { add({0, steps - 1, 0}); }

  Plateau getLowest() const;
  /// Raises steps of the lowest plateau to a new height.
  void raise(unsigned first, unsigned last, int64_t height);
  /// Raises the lowest plateau to its lower neighbour.
  void fillLowest();

private:
  void add(Plateau plateau);
  void remove(Plateau plateau);
  /// Returns the plateau that contains a step, if there is one.
  std::optional<Plateau> findAt(unsigned step) const;

  /// The plateaus, by first steps.
  std::map<unsigned, Plateau> plateaus;
  std::set<std::pair<int64_t, unsigned>> byHeight;
};
} // namespace

WaitingBuffers::WaitingBuffers(ArrayRef<Lifetime> buffers,
                               ArrayRef<unsigned> order)
    : buffers(buffers), order(order), rankOf(order.size()),
      leafOf(order.size()), sorted(order.begin(), order.end()),
      nodes(2 * order.size()) {
  llvm::sort(sorted, [&](unsigned a, unsigned b) {
    return std::pair(buffers[a].first, a) < std::pair(buffers[b].first, b);
  });
  for (unsigned position = 0; position < order.size(); ++position) {
    rankOf[order[position]] = position;
    leafOf[sorted[position]] = order.size() + position;
    nodes[order.size() + position].members = {sorted[position]};
  }
  for (unsigned node = order.size() - 1; node > 0; --node)
    std::merge(nodes[2 * node].members.begin(), nodes[2 * node].members.end(),
               nodes[2 * node + 1].members.begin(),
               nodes[2 * node + 1].members.end(),
               std::back_inserter(nodes[node].members),
               [&](unsigned a, unsigned b) { return endsBefore(a, b); });
  llvm::for_each(nodes, [&](Node &node) { fill(node); });
}

void WaitingBuffers::fill(Node &node) {
  unsigned count = node.members.size();
  node.best.assign(2 * count, kNone);
  for (unsigned position = 0; position < count; ++position)
    node.best[count + position] = rankOf[node.members[position]];
  for (unsigned span = count; span-- > 1;)
    node.best[span] = std::min(node.best[2 * span], node.best[2 * span + 1]);
}

/// Returns the best priority among the buffers of a node whose last step is at
/// most `last`.
unsigned WaitingBuffers::findBest(const Node &node, unsigned last) const {
  unsigned count = node.members.size();
  unsigned best = kNone;
  unsigned end =
      count + (llvm::partition_point(node.members,
                                     [&](unsigned buffer) {
                                       return buffers[buffer].last <= last;
                                     }) -
               node.members.begin());
  for (unsigned begin = count; begin < end; begin /= 2, end /= 2) {
    if (begin % 2)
      best = std::min(best, node.best[begin++]);
    if (end % 2)
      best = std::min(best, node.best[--end]);
  }
  return best;
}

void WaitingBuffers::remove(unsigned buffer) {
  for (unsigned index = leafOf[buffer]; index > 0; index /= 2) {
    Node &node = nodes[index];
    auto member =
        llvm::lower_bound(node.members, buffer, [&](unsigned a, unsigned b) {
          return endsBefore(a, b);
        });
    unsigned span = node.members.size() + (member - node.members.begin());
    node.best[span] = kNone;
    for (span /= 2; span > 0; span /= 2)
      node.best[span] = std::min(node.best[2 * span], node.best[2 * span + 1]);
  }
}

std::optional<unsigned> WaitingBuffers::takeWithin(unsigned first,
                                                   unsigned last) {
  unsigned count = order.size();
  unsigned best = kNone;
  unsigned begin =
      count + (llvm::partition_point(sorted,
                                     [&](unsigned buffer) {
                                       return buffers[buffer].first < first;
                                     }) -
               sorted.begin());
  for (unsigned end = 2 * count; begin < end; begin /= 2, end /= 2) {
    if (begin % 2)
      best = std::min(best, findBest(nodes[begin++], last));
    if (end % 2)
      best = std::min(best, findBest(nodes[--end], last));
  }
  if (best == kNone)
    return std::nullopt;
  remove(order[best]);
  return order[best];
}

//===----------------------------------------------------------------------===//
// The surface
//===----------------------------------------------------------------------===//

void Surface::add(Plateau plateau) {
  plateaus[plateau.first] = plateau;
  byHeight.insert({plateau.height, plateau.first});
}

void Surface::remove(Plateau plateau) {
  plateaus.erase(plateau.first);
  byHeight.erase({plateau.height, plateau.first});
}

std::optional<Surface::Plateau> Surface::findAt(unsigned step) const {
  auto next = plateaus.upper_bound(step);
  if (next == plateaus.begin() || std::prev(next)->second.last < step)
    return std::nullopt;
  return std::prev(next)->second;
}

Surface::Plateau Surface::getLowest() const {
  return plateaus.find(byHeight.begin()->second)->second;
}

void Surface::raise(unsigned first, unsigned last, int64_t height) {
  Plateau plateau = getLowest();
  remove(plateau);
  if (plateau.first < first)
    add({plateau.first, first - 1, plateau.height});
  if (last < plateau.last)
    add({last + 1, plateau.last, plateau.height});
  // Neighbours of equal height are merged.
  Plateau raised = {first, last, height};
  if (auto after = findAt(last + 1); after && after->height == height) {
    remove(*after);
    raised.last = after->last;
  }
  if (auto before = first ? findAt(first - 1) : std::nullopt;
      before && before->height == height) {
    remove(*before);
    raised.first = before->first;
  }
  add(raised);
}

void Surface::fillLowest() {
  Plateau plateau = getLowest();
  int64_t height = std::numeric_limits<int64_t>::max();
  if (auto before = plateau.first ? findAt(plateau.first - 1) : std::nullopt)
    height = before->height;
  if (auto after = findAt(plateau.last + 1))
    height = std::min(height, after->height);
  raise(plateau.first, plateau.last, height);
}

std::optional<Placement> tg::placeLowestFirst(ArrayRef<Lifetime> buffers,
                                              ArrayRef<unsigned> order,
                                              int64_t limit) {
  Placement placement{SmallVector<int64_t>(buffers.size()), 0};
  if (buffers.empty())
    return placement;
  Surface surface(countSteps(buffers));
  WaitingBuffers waiting(buffers, order);
  for (size_t placed = 0; placed < buffers.size();) {
    Surface::Plateau lowest = surface.getLowest();
    auto buffer = waiting.takeWithin(lowest.first, lowest.last);
    if (!buffer) {
      surface.fillLowest();
      continue;
    }
    ++placed;
    const Lifetime &life = buffers[*buffer];
    int64_t end = lowest.height + life.bytes;
    if (end >= limit)
      return std::nullopt;
    placement.offsets[*buffer] = lowest.height;
    placement.bytes = std::max(placement.bytes, end);
    surface.raise(life.first, life.last, end);
  }
  return placement;
}
