//===- Recomputation.h - rematerialization of buffers ---------------------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_RECOMPUTATION_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_RECOMPUTATION_H

#include "compiler/transforms/memory/MemoryPlan.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace tg {

/// Rematerialization in a sequence of steps over buffers: some steps run again,
/// so that their results need not stay in memory in between. The algorithm is
/// greedy, like XLA's rematerialization. At the position with the most live
/// bytes, it chooses the step with the best ratio of freed bytes to cost, and
/// repeats this step just before the next use of its results. Steps that
/// produce its inputs are repeated with it if their results are no longer live.
/// This continues until the planned arena is within the budget.
class Recomputation {
public:
  /// A step. Buffers and variables are given by their ids.
  struct Step {
    llvm::SmallVector<unsigned, 4> reads, creates;
    /// The variables that the step reads as they were on entry, and the
    /// variables that it writes.
    llvm::SmallVector<unsigned, 4> variablesRead, variablesWritten;
    /// True if the step can read another buffer with the same content.
    bool isFlexible = true;
    /// The cost of running the step again; none if that is not allowed.
    std::optional<int64_t> cost;
    /// True if the first run of the step has checks that may fail. The first
    /// run then stays even if nothing reads its results.
    bool isChecked = false;
    /// The index of the step among the steps that were passed to the
    /// constructor. A repeated step has the index of the step that it repeats.
    unsigned original = 0;
    bool isRepeated = false;
  };

  /// `bytes` are the sizes of the buffers, which take multiples of `alignment`.
  Recomputation(std::vector<Step> steps, llvm::ArrayRef<int64_t> bytes,
                int64_t alignment);

  /// Repeats steps until the planned arena has at most `budget` bytes. Returns
  /// false if no more steps can be repeated, or if the maximum number of
  /// repetitions is reached.
  bool fit(int64_t budget);

  /// Returns the steps in order. Repeated steps have buffers of their own, and
  /// unneeded steps are removed.
  llvm::ArrayRef<Step> getSteps() const { return steps; }
  /// Returns the bytes of the plan that fits, or of the smallest plan found.
  int64_t getPlannedBytes() const { return plannedBytes; }
  /// Returns the original buffers that are live, in some version, at the peak
  /// of the smallest plan. Only meaningful if no plan fits.
  llvm::ArrayRef<unsigned> getPeakBuffers() const { return peakBuffers; }

private:
  /// A possible change: the steps at the positions `repeated` run again before
  /// the step at position `before`. This frees `freed` bytes at the peak.
  struct Candidate {
    llvm::SmallVector<unsigned> repeated;
    unsigned before = 0;
    int64_t freed = 0, cost = 0;
  };

  /// A step with the most live bytes.
  struct Peak {
    unsigned position = 0;
    int64_t bytes = -1;
  };

  /// Computes the lifetime of each buffer, the positions of its readers, and
  /// the first writer of each variable.
  void computeLifetimes();
  /// Removes steps whose results no step reads, because all readers now read
  /// the results of repeated steps. Returns true if it removed a step.
  bool eraseUnused();
  Peak findPeak() const;
  std::optional<unsigned> nextUse(unsigned buffer, unsigned position) const;
  bool canDropAt(unsigned buffer, unsigned position) const;
  /// Returns the version of a buffer that a step reads if it is repeated before
  /// the step at position `before`.
  unsigned versionFor(unsigned buffer, unsigned before) const;
  bool addWithProducers(unsigned position, unsigned peak,
                        Candidate &candidate) const;
  std::optional<Candidate> candidateFor(unsigned position, unsigned peak) const;
  std::optional<Candidate> findBest(unsigned peak) const;
  void apply(const Candidate &candidate, unsigned peak);

  std::vector<Step> steps;
  int64_t alignment;
  size_t repetitionsLeft;
  int64_t plannedBytes = 0;
  llvm::SmallVector<unsigned> peakBuffers;
  /// For each buffer: the original buffer that it is a version of (itself if it
  /// is an original), the list of all versions if it is an original, the
  /// positions of the steps that read it, and its lifetime.
  std::vector<unsigned> originals;
  std::vector<std::vector<unsigned>> versions, uses;
  llvm::SmallVector<Lifetime> lifetimes;
  /// The position of the first step that writes a variable, by the variable's
  /// id.
  llvm::DenseMap<unsigned, unsigned> firstWriters;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_RECOMPUTATION_H
