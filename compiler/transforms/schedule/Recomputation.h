//===- Recomputation.h - steps that run again to keep less ----------------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_RECOMPUTATION_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_RECOMPUTATION_H

#include "compiler/transforms/memory/MemoryPlan.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace tg {

/// Steps in order over buffers, of which some run a second time, so that what
/// they make need not be kept in between. Greedy, after XLA's
/// rematerialization: where most bytes are live, that step is repeated just
/// before its next use which frees the most bytes for what it costs; with it
/// whatever it needs and is gone by then. So until the arena that is planned
/// fits.
class Recomputation {
public:
  /// A step by the numbers of buffers.
  struct Step {
    llvm::SmallVector<unsigned, 4> reads, makes;
    /// The variables that it reads as they were on entry, and writes.
    llvm::SmallVector<unsigned, 4> variablesRead, variablesWritten;
    /// Whether it can read another buffer with the same content.
    bool isFlexible = true;
    /// What it costs to run it again; none where that may not be.
    std::optional<int64_t> cost;
    /// Whether it checks something the first time, so that it stays.
    bool isChecked = false;
    /// Its number in the steps given, also of what runs again.
    unsigned original = 0;
    bool isRepeated = false;
  };

  /// `bytes` are those of the buffers, which take multiples of `alignment`.
  Recomputation(std::vector<Step> steps, llvm::ArrayRef<int64_t> bytes,
                int64_t alignment);

  /// Repeats steps until the planned arena has at most `budget` bytes. False
  /// where no more steps can be repeated, or too many were.
  bool fit(int64_t budget);

  /// The steps in order; repeated ones have buffers of their own, and those
  /// that are not needed any more are gone.
  llvm::ArrayRef<Step> getSteps() const { return steps; }
  /// The bytes of the plan that fits, or of the smallest that was found.
  int64_t getPlannedBytes() const { return plannedBytes; }
  /// Of the smallest plan that was found, where none fits: the given buffers
  /// that are live, in some version, where most bytes are.
  llvm::ArrayRef<unsigned> getLeastPeak() const { return leastPeak; }

private:
  /// Steps to repeat, by position, before another one.
  struct Candidate {
    llvm::SmallVector<unsigned> repeated;
    unsigned before = 0;
    int64_t freed = 0, cost = 0;
  };

  /// A step at which most bytes are live.
  struct Peak {
    unsigned position = 0;
    int64_t bytes = -1;
  };

  void findLives();
  /// Takes steps out that were repeated for all that they were good for.
  bool eraseUnused();
  Peak findPeak() const;
  std::optional<unsigned> nextUse(unsigned buffer, unsigned position) const;
  bool canBeMadeAnew(unsigned buffer, unsigned position) const;
  /// What is in the place of a buffer that a step reads when it runs again.
  unsigned versionFor(unsigned buffer, unsigned before) const;
  bool addNeeded(unsigned position, unsigned peak, Candidate &candidate) const;
  std::optional<Candidate> consider(unsigned position, unsigned peak) const;
  std::optional<Candidate> findBest(unsigned peak) const;
  void apply(const Candidate &candidate, unsigned peak);

  std::vector<Step> steps;
  int64_t alignment;
  size_t repetitionsLeft;
  int64_t plannedBytes = 0;
  llvm::SmallVector<unsigned> leastPeak;
  /// By buffer: the one of the given buffers that it is a version of, the steps
  /// that use it, and the lives that follow.
  std::vector<unsigned> originals;
  std::vector<std::vector<unsigned>> versions, uses;
  llvm::SmallVector<Lifetime> lives;
  /// The first step that writes a variable, by its number.
  llvm::DenseMap<unsigned, unsigned> writers;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_RECOMPUTATION_H
