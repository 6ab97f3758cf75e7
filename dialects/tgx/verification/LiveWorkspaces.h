//===- LiveWorkspaces.h - buffers that are live together do not overlap ---===//
#ifndef TG_DIALECTS_TGX_VERIFICATION_LIVEWORKSPACES_H
#define TG_DIALECTS_TGX_VERIFICATION_LIVEWORKSPACES_H

#include "dialects/tgx/Tgx.h"
#include <set>

namespace tgx {

/// Verifies C3 of `tgx.workspace` step by step.
///
/// The class keeps the buffers that are live at one step in the order of their
/// ids. A new buffer must begin after the end of the next lower one, and must
/// end before the next higher one begins. The other pairs follow, because "lies
/// above" is transitive. One buffer lies above another if constant offsets show
/// it, or if the lists `above` lead from it to the other.
class LiveWorkspaces {
public:
  /// `buffers` must be in the order of their ids.
  explicit LiveWorkspaces(llvm::ArrayRef<WorkspaceOp> buffers);

  /// Declares that the buffer is live from step `first` to step `last`, both
  /// included.
  void setLife(int64_t id, unsigned first, unsigned last);

  /// Fails with a diagnostic at the first buffer that may overlap another.
  llvm::LogicalResult verify();

private:
  /// Adds a buffer to the live ones and checks it against its neighbours.
  llvm::LogicalResult enter(int64_t id);
  bool isAbove(int64_t high, int64_t low);
  /// Returns true if the lists `above` lead from `high` to `low`.
  bool leadsTo(int64_t high, int64_t low);
  void findOffsets();

  /// The offsets of a buffer's begin and end, where they are constant.
  struct Range {
    std::optional<int64_t> begin, end;
  };

  llvm::ArrayRef<WorkspaceOp> buffers;
  std::vector<Range> ranges;
  /// The ids of buffers by the steps at which their lives begin and end.
  std::vector<llvm::SmallVector<int64_t, 2>> begins, ends;
  std::set<int64_t> live;
  /// The search that last visited each buffer, the current search, and the
  /// number of steps that all searches may still take.
  std::vector<unsigned> visited;
  unsigned search = 0;
  int64_t stepsLeft;
};

} // namespace tgx

#endif // TG_DIALECTS_TGX_VERIFICATION_LIVEWORKSPACES_H
