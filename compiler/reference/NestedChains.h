//===- NestedChains.h - nested blocks of sums -----------------------------===//
#ifndef TG_COMPILER_REFERENCE_NESTEDCHAINS_H
#define TG_COMPILER_REFERENCE_NESTEDCHAINS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace tg {

/// Computes `nest(lengths, v)` of bits.md for several sequences at once. The
/// n-th value of all sequences is one State. `Chain` combines states:
///   State begin()                     the state of a chain without values
///   void add(State &sum, State value) the next step of a chain
template <typename State, typename Chain> class NestedChains {
public:
  NestedChains(llvm::ArrayRef<int64_t> lengths, Chain &chain)
      : lengths(lengths), chain(chain) {
    for (size_t level = 0; level <= lengths.size(); ++level)
      levels.push_back({chain.begin(), 0});
  }

  void add(State value) { addTo(0, std::move(value)); }

  /// Returns the result, and begins anew.
  State finish() {
    for (size_t level = 0; level < lengths.size(); ++level)
      if (levels[level].count)
        flush(level);
    return std::exchange(levels.back(), {chain.begin(), 0}).sum;
  }

private:
  struct Level {
    State sum;
    /// The number of values in the current block.
    int64_t count;
  };

  void addTo(size_t level, State value) {
    chain.add(levels[level].sum, std::move(value));
    ++levels[level].count;
    if (level < lengths.size() && levels[level].count == lengths[level])
      flush(level);
  }

  void flush(size_t level) {
    State sum = std::exchange(levels[level], {chain.begin(), 0}).sum;
    addTo(level + 1, std::move(sum));
  }

  std::vector<int64_t> lengths;
  Chain &chain;
  std::vector<Level> levels;
};

/// Chains of additions, side by side in columns. A start of -0 changes no first
/// value.
template <typename T> struct ColumnSums {
  int64_t columns;
  T start = 0;
  using State = std::vector<T>;

  State begin() const { return State(columns, start); }
  void add(State &sum, const State &value) const {
    for (int64_t i = 0; i < columns; ++i)
      sum[i] = sum[i] + value[i];
  }
};

} // namespace tg

#endif // TG_COMPILER_REFERENCE_NESTEDCHAINS_H
