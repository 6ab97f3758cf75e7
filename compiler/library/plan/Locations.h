//===- Locations.h - source locations for messages at run time ------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_LOCATIONS_H
#define TG_COMPILER_LIBRARY_PLAN_LOCATIONS_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace tg {

/// The contents of a tg_location_t of abi.h. Unknown fields are empty or 0.
struct SourceLocation {
  std::string file;
  unsigned line = 0, column = 0;
  std::string op, layer;

  /// Returns the first file position in `location`, and the outermost name
  /// around it as the layer.
  static SourceLocation of(mlir::Location location, llvm::StringRef op);
};

/// Returns the locations of the ops that a step computes, which its own
/// location fuses. Steps that launch the same kernel have different locations.
llvm::SmallVector<mlir::Location> opLocationsOf(mlir::Location step);

/// A table of the distinct locations of kernels and of ops that can fail at run
/// time.
class LocationTable {
public:
  /// Returns the index of a location, which is added if it is new.
  unsigned add(mlir::Location location, llvm::StringRef op);
  llvm::ArrayRef<SourceLocation> getEntries() const { return entries; }

private:
  using Key =
      std::tuple<std::string, unsigned, unsigned, std::string, std::string>;
  std::vector<SourceLocation> entries;
  std::map<Key, unsigned> indices;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_LOCATIONS_H
