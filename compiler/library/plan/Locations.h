//===- Locations.h - the run-time half of source locations ----------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_LOCATIONS_H
#define TG_COMPILER_LIBRARY_PLAN_LOCATIONS_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace tg {

/// The contents of a tg_location_t of abi.h. Unknown parts are empty or 0.
struct SourceLocation {
  std::string file;
  unsigned line = 0, column = 0;
  std::string op, layer;

  /// The first position in a location and the outermost name around it, which
  /// is the layer.
  static SourceLocation of(mlir::Location location, llvm::StringRef op);
};

/// The locations of the ops that a step computes, of which its own was fused.
/// Steps that share a kernel have their own.
llvm::SmallVector<mlir::Location> partsOf(mlir::Location step);

/// The distinct locations of ops that can fail at run time, and of kernels.
class LocationTable {
public:
  /// The number of the location, which is added when it is new.
  unsigned add(mlir::Location location, llvm::StringRef op);
  llvm::ArrayRef<SourceLocation> getEntries() const { return entries; }

private:
  using Key =
      std::tuple<std::string, unsigned, unsigned, std::string, std::string>;
  std::vector<SourceLocation> entries;
  std::map<Key, unsigned> numbers;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_LOCATIONS_H
