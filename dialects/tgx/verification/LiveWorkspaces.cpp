//===- LiveWorkspaces.cpp - buffers that are live together do not overlap -===//
#include "dialects/tgx/verification/LiveWorkspaces.h"
#include "dialects/tgx/Alignment.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tgx;

/// The upper bound on entries of lists `above` that all searches together may
/// visit: a constant, and a number for each buffer. Planned arenas need a few
/// entries for each buffer. This bounds the time that untrusted text can take.
static constexpr int64_t kSearchSteps = int64_t(1) << 22;
static constexpr int64_t kSearchStepsPerBuffer = 256;

LiveWorkspaces::LiveWorkspaces(ArrayRef<WorkspaceOp> buffers)
    : buffers(buffers), ranges(buffers.size()), visited(buffers.size()),
      stepsLeft(kSearchSteps +
                kSearchStepsPerBuffer * int64_t(buffers.size())) {
  findOffsets();
}

void LiveWorkspaces::setLife(int64_t id, unsigned first, unsigned last) {
  if (begins.size() <= last) {
    begins.resize(last + 1);
    ends.resize(last + 1);
  }
  begins[first].push_back(id);
  ends[last].push_back(id);
}

/// Returns the first multiple of the alignment at or after the end, or none on
/// overflow.
static std::optional<int64_t> endOf(int64_t begin, int64_t bytes,
                                    int64_t alignment) {
  std::optional<int64_t> end = llvm::checkedAdd(begin, bytes);
  end = end ? llvm::checkedAdd(*end, alignment - 1) : std::nullopt;
  return end ? std::optional(*end / alignment * alignment) : std::nullopt;
}

void LiveWorkspaces::findOffsets() {
  if (buffers.empty())
    return;
  WorkspaceOp first = buffers.front();
  int64_t alignment = first->getParentOfType<FunctionOp>().getAlignment();
  for (auto [id, range] : llvm::enumerate(ranges)) {
    WorkspaceOp buffer = buffers[id];
    range.begin = 0;
    for (int64_t below : buffer.getAbove()) {
      std::optional<int64_t> end = ranges[below].end;
      if (!end)
        range.begin.reset();
      else if (range.begin)
        range.begin = std::max(*range.begin, *end);
    }
    auto bytes = dyn_cast<AffineConstantExpr>(buffer.countBytes());
    if (range.begin && bytes)
      range.end = endOf(*range.begin, bytes.getValue(), alignment);
  }
}

bool LiveWorkspaces::leadsTo(int64_t high, int64_t low) {
  ++search;
  SmallVector<int64_t> worklist = {high};
  while (!worklist.empty()) {
    WorkspaceOp buffer = buffers[worklist.pop_back_val()];
    ArrayRef<int64_t> above = buffer.getAbove();
    if (llvm::binary_search(above, low))
      return true;
    // Lists ascend, and contain only lower ids.
    for (int64_t next : llvm::reverse(above)) {
      if (next < low || --stepsLeft < 0)
        break;
      if (visited[next] != search)
        worklist.push_back(next);
      visited[next] = search;
    }
  }
  return false;
}

bool LiveWorkspaces::isAbove(int64_t high, int64_t low) {
  if (ranges[low].end && ranges[high].begin &&
      *ranges[low].end <= *ranges[high].begin)
    return true;
  return leadsTo(high, low);
}

LogicalResult LiveWorkspaces::enter(int64_t id) {
  auto entry = live.insert(id).first;
  auto check = [&](int64_t high, int64_t low) -> LogicalResult {
    if (isAbove(high, low))
      return success();
    WorkspaceOp op = buffers[high];
    return op.emitOpError()
           << "expected buffer " << high << " to lie above buffer " << low
           << ", which is live at the same time [C3]";
  };
  if (entry != live.begin() && failed(check(id, *std::prev(entry))))
    return failure();
  auto next = std::next(entry);
  return next == live.end() ? success() : check(*next, id);
}

LogicalResult LiveWorkspaces::verify() {
  for (auto [entering, leaving] : llvm::zip_equal(begins, ends)) {
    for (int64_t id : entering)
      if (failed(enter(id)))
        return failure();
    for (int64_t id : leaving)
      live.erase(id);
  }
  return success();
}
