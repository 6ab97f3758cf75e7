//===- Locations.cpp - source locations for messages at run time ----------===//
#include "compiler/library/plan/Locations.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tg;

/// Sets the file, line and column to the first ones in `location`, and the
/// layer to the first name on the way to them. Does not change fields that are
/// set.
static void resolve(Location location, SourceLocation &result) {
  llvm::TypeSwitch<LocationAttr>(location)
      .Case<FileLineColRange>([&](FileLineColRange range) {
        if (!result.file.empty())
          return;
        result.file = range.getFilename().str();
        result.line = range.getStartLine();
        result.column = range.getStartColumn();
      })
      .Case<NameLoc>([&](NameLoc named) {
        if (result.layer.empty())
          result.layer = named.getName().str();
        resolve(named.getChildLoc(), result);
      })
      .Case<CallSiteLoc>([&](CallSiteLoc site) {
        resolve(site.getCallee(), result);
        if (result.file.empty())
          resolve(site.getCaller(), result);
      })
      .Case<FusedLoc>([&](FusedLoc fused) {
        for (Location child : fused.getLocations())
          if (result.file.empty())
            resolve(child, result);
      })
      .Case<OpaqueLoc>([&](OpaqueLoc opaque) {
        resolve(opaque.getFallbackLocation(), result);
      });
}

SourceLocation SourceLocation::of(Location location, StringRef op) {
  SourceLocation result;
  result.op = op.str();
  resolve(location, result);
  return result;
}

SmallVector<Location> tg::opLocationsOf(Location step) {
  auto fused = dyn_cast<FusedLoc>(step);
  // A fused location with metadata describes a single op.
  if (!fused || fused.getMetadata())
    return {step};
  return llvm::to_vector(fused.getLocations());
}

unsigned LocationTable::add(Location location, StringRef op) {
  SourceLocation entry = SourceLocation::of(location, op);
  Key key(entry.file, entry.line, entry.column, entry.op, entry.layer);
  auto [found, isNew] = indices.try_emplace(key, entries.size());
  if (isNew)
    entries.push_back(entry);
  return found->second;
}
