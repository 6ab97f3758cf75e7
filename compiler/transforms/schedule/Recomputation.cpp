//===- Recomputation.cpp - rematerialization of buffers -------------------===//
#include "compiler/transforms/schedule/Recomputation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace tg;
using llvm::ArrayRef;

/// The position of a step that does not exist.
static constexpr unsigned kNoStep = std::numeric_limits<unsigned>::max();

/// The maximum number of repetitions, divided by the number of steps. The limit
/// makes the search terminate: if the original of a repeated step becomes
/// unused and is erased, the step has only moved, and could be moved again and
/// again.
static constexpr size_t kMaxRepetitionsPerStep = 8;

Recomputation::Recomputation(std::vector<Step> sequence,
                             ArrayRef<int64_t> bytes, int64_t alignment)
    : steps(std::move(sequence)), alignment(alignment),
      repetitionsLeft(kMaxRepetitionsPerStep * steps.size()) {
  for (auto [index, size] : llvm::enumerate(bytes)) {
    originals.push_back(index);
    versions.push_back({unsigned(index)});
    lifetimes.push_back({0, 0, int64_t(llvm::alignTo(size, alignment))});
  }
  for (auto [index, step] : llvm::enumerate(steps))
    step.original = index;
}

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

void Recomputation::computeLifetimes() {
  uses.assign(lifetimes.size(), {});
  firstWriters.clear();
  for (Lifetime &life : lifetimes)
    life.first = life.last = kNoStep;
  for (auto [position, step] : llvm::enumerate(steps)) {
    for (unsigned buffer : step.creates)
      lifetimes[buffer].first = lifetimes[buffer].last = position;
    for (unsigned buffer : step.reads) {
      lifetimes[buffer].last = position;
      uses[buffer].push_back(position);
    }
    for (unsigned variable : step.variablesWritten)
      firstWriters.try_emplace(variable, position);
  }
}

bool Recomputation::eraseUnused() {
  size_t before = steps.size();
  llvm::erase_if(steps, [&](const Step &step) {
    bool isNeeded = !step.cost || (step.isChecked && !step.isRepeated);
    return !isNeeded && llvm::all_of(step.creates, [&](unsigned buffer) {
      return uses[buffer].empty();
    });
  });
  return steps.size() != before;
}

/// Returns the lifetimes of the buffers that some step still creates.
static llvm::SmallVector<Lifetime>
existingLifetimes(ArrayRef<Lifetime> lifetimes) {
  return llvm::to_vector(llvm::make_filter_range(
      lifetimes, [](const Lifetime &life) { return life.first != kNoStep; }));
}

/// Returns the first step with the most live bytes.
Recomputation::Peak Recomputation::findPeak() const {
  std::vector<int64_t> changes(steps.size() + 1);
  for (const Lifetime &life : existingLifetimes(lifetimes)) {
    changes[life.first] += life.bytes;
    changes[life.last + 1] -= life.bytes;
  }
  int64_t sum = 0;
  Peak peak;
  for (unsigned position = 0; position < steps.size(); ++position)
    if ((sum += changes[position]) > peak.bytes)
      peak = {position, sum};
  return peak;
}

/// Returns the position of the first use of a buffer after `position`.
std::optional<unsigned> Recomputation::nextUse(unsigned buffer,
                                               unsigned position) const {
  auto next = llvm::upper_bound(uses[buffer], position);
  return next == uses[buffer].end() ? std::nullopt : std::optional(*next);
}

/// Returns true if a buffer is live at a step, but only for later users, and
/// all of these can read another buffer with the same content.
bool Recomputation::canDropAt(unsigned buffer, unsigned position) const {
  if (lifetimes[buffer].first >= position ||
      lifetimes[buffer].last <= position ||
      llvm::binary_search(uses[buffer], position))
    return false;
  return llvm::all_of(uses[buffer], [&](unsigned use) {
    return use < position || steps[use].isFlexible;
  });
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Returns the version of a buffer that is created before step `before` and
/// lives longest.
unsigned Recomputation::versionFor(unsigned buffer, unsigned before) const {
  std::optional<unsigned> best;
  for (unsigned version : versions[originals[buffer]])
    if (lifetimes[version].first < before &&
        (!best || lifetimes[version].last > lifetimes[*best].last))
      best = version;
  assert(best && "a version was made before its first use");
  return *best;
}

/// Adds a step to the candidate, after the steps that produce its inputs if
/// these inputs are no longer live at the peak. Returns false if one of the
/// steps may not run again.
bool Recomputation::addWithProducers(unsigned position, unsigned peak,
                                     Candidate &candidate) const {
  const Step &step = steps[position];
  auto isWritten = [&](unsigned variable) {
    auto writer = firstWriters.find(variable);
    return writer != firstWriters.end() && writer->second < candidate.before;
  };
  if (!step.cost || llvm::any_of(step.variablesRead, isWritten))
    return false;
  for (unsigned buffer : step.reads) {
    unsigned version = versionFor(buffer, candidate.before);
    unsigned producer = lifetimes[version].first;
    if (lifetimes[version].last < peak &&
        !llvm::is_contained(candidate.repeated, producer) &&
        !addWithProducers(producer, peak, candidate))
      return false;
  }
  candidate.repeated.push_back(position);
  candidate.cost += *step.cost;
  return true;
}

/// Returns the candidate that repeats a step before the next use of its
/// buffers, with the bytes that this frees at the peak.
std::optional<Recomputation::Candidate>
Recomputation::candidateFor(unsigned position, unsigned peak) const {
  Candidate candidate;
  candidate.before = kNoStep;
  for (unsigned buffer : steps[position].creates)
    if (canDropAt(buffer, peak)) {
      candidate.before = std::min(candidate.before, *nextUse(buffer, peak));
      candidate.freed += lifetimes[buffer].bytes;
    }
  if (candidate.freed == 0 || !addWithProducers(position, peak, candidate))
    return std::nullopt;
  return candidate;
}

std::optional<Recomputation::Candidate>
Recomputation::findBest(unsigned peak) const {
  std::optional<Candidate> best;
  for (unsigned position = 0; position < peak; ++position) {
    std::optional<Candidate> other = candidateFor(position, peak);
    if (other && (!best || double(other->freed) * best->cost >
                               double(best->freed) * other->cost))
      best = std::move(other);
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

void Recomputation::apply(const Candidate &candidate, unsigned peak) {
  std::vector<Step> repeated;
  llvm::SmallVector<std::pair<unsigned, unsigned>> newVersions;
  auto findNewVersion = [&](unsigned original) {
    auto found = llvm::find_if(
        newVersions, [&](auto entry) { return entry.first == original; });
    return found == newVersions.end() ? std::nullopt
                                      : std::optional(found->second);
  };
  // The last repeated step is the one to rematerialize; the others produce its
  // inputs. If a buffer of this step can be dropped at the peak, its later
  // readers read the new version.
  llvm::SmallVector<std::pair<unsigned, unsigned>> replaced;
  for (unsigned position : candidate.repeated) {
    Step step = steps[position];
    step.isRepeated = true;
    for (unsigned &buffer : step.reads)
      buffer = findNewVersion(originals[buffer])
                   .value_or(versionFor(buffer, candidate.before));
    for (unsigned &buffer : step.creates) {
      unsigned version = lifetimes.size();
      unsigned original = originals[buffer];
      if (position == candidate.repeated.back() && canDropAt(buffer, peak))
        replaced.push_back({buffer, version});
      newVersions.push_back({original, version});
      lifetimes.push_back(lifetimes[buffer]);
      originals.push_back(original);
      versions.emplace_back();
      versions[original].push_back(version);
      buffer = version;
    }
    repeated.push_back(std::move(step));
  }
  for (auto [buffer, version] : replaced)
    for (unsigned use : uses[buffer])
      if (use >= candidate.before)
        llvm::replace(steps[use].reads, buffer, version);
  steps.insert(steps.begin() + candidate.before, repeated.begin(),
               repeated.end());
}

bool Recomputation::fit(int64_t budget) {
  int64_t smallest = std::numeric_limits<int64_t>::max();
  llvm::SmallVector<Lifetime> smallestLifetimes;
  for (;;) {
    do
      computeLifetimes();
    while (eraseUnused());
    Peak peak = findPeak();
    if (peak.bytes < smallest) {
      smallest = peak.bytes;
      smallestLifetimes = existingLifetimes(lifetimes);
      peakBuffers.clear();
      for (auto [buffer, life] : llvm::enumerate(lifetimes))
        if (life.first <= peak.position && peak.position <= life.last &&
            life.first != kNoStep)
          peakBuffers.push_back(originals[buffer]);
    }
    if (peak.bytes <= budget) {
      plannedBytes = planMemory(existingLifetimes(lifetimes), alignment).bytes;
      if (plannedBytes <= budget)
        return true;
    }
    std::optional<Candidate> best = findBest(peak.position);
    if (!best || best->repeated.size() > repetitionsLeft)
      break;
    repetitionsLeft -= best->repeated.size();
    apply(*best, peak.position);
  }
  plannedBytes = planMemory(smallestLifetimes, alignment).bytes;
  return false;
}
