//===- BufferPlaces.h - the locations of buffers in memory ----------------===//
//
// The analysis of the memory of a verified function. Passes, and the generation
// of library code, use it to find the memory behind a buffer and its offset.
//
// A buffer is one of these:
//
//   view          the elements of another buffer with another type (tgx.view)
//   part          a range of each row of another buffer (tgx.part)
//   loop element  the slice of a stacked buffer that an iteration of a loop
//                 accesses (tgx.element)
//   root          memory of its own: an input, an output, a variable, packed
//                 weights, a constant or a workspace
//
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TGX_FUNCTIONS_BUFFERPLACES_H
#define TG_DIALECTS_TGX_FUNCTIONS_BUFFERPLACES_H

#include "dialects/tgx/Tgx.h"

namespace tgx {

/// Returns the buffer behind views: a part, a loop element or a root.
BufferOpInterface sizedBuffer(mlir::Value buffer);
/// Returns the buffer behind views and parts: a loop element or a root.
mlir::Value storageOf(mlir::Value buffer);
/// Returns the root behind views, parts and loop elements.
mlir::Value rootOf(mlir::Value buffer);

/// Returns the offset of the first element of `buffer` in `storageOf(buffer)`,
/// in bytes.
int64_t offsetInStorage(mlir::Value buffer);
/// Returns the known alignment of the address of a buffer, in bytes. Inputs and
/// outputs of functions are aligned to their elements and to
/// `callerAlignment`, because the host provides them.
int64_t alignmentOf(mlir::Value buffer, int64_t callerAlignment = 1);

/// The range [begin, end) of the elements that a part has of each row of its
/// storage. For a buffer that is no part, begin == end == 0 means all elements.
struct ElementRange {
  int64_t begin = 0, end = 0;

  /// Returns true if two ranges of the same storage have common elements.
  bool meets(const ElementRange &other) const;
};
ElementRange elementRangeOf(mlir::Value buffer);

/// The offsets of the workspaces of a function in the arena. A workspace begins
/// at the first multiple of the alignment after the end of all workspaces that
/// it lies above. At run time, the library computes the offsets that depend on
/// symbols by the same rule (layArena of embedded programs).
class ArenaPlaces {
public:
  /// Returns the size of a workspace in bytes, or none if it is unknown. The
  /// workspaces above an unknown one have unknown offsets.
  using SizeOf = llvm::function_ref<std::optional<int64_t>(WorkspaceOp)>;

  ArenaPlaces(FunctionOp function, SizeOf sizeOf);

  /// Returns the offset of a workspace in bytes, or none if it is unknown.
  std::optional<int64_t> offsetOf(WorkspaceOp workspace) const;
  /// Returns a lower bound of the offset, which is exact if it is known.
  int64_t leastOffsetOf(WorkspaceOp workspace) const;
  /// Returns the end of a workspace by its id, or none if it is unknown.
  std::optional<int64_t> endOf(int64_t id) const { return placements[id].end; }
  /// Returns the end of the last workspace of known offset and size.
  int64_t getBytes() const { return bytes; }

private:
  struct Placement {
    /// A lower bound of the offset; the offset itself if `isKnown`.
    int64_t least = 0;
    bool isKnown = true;
    /// None if the offset or the size is unknown.
    std::optional<int64_t> end;
  };

  /// The placement of each workspace, by its id.
  llvm::SmallVector<Placement> placements;
  int64_t bytes = 0;
};

} // namespace tgx

#endif // TG_DIALECTS_TGX_FUNCTIONS_BUFFERPLACES_H
