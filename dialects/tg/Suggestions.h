//===- Suggestions.h - suggestions for misspelt names -----------*- C++ -* ===//
#ifndef TG_DIALECTS_TG_SUGGESTIONS_H
#define TG_DIALECTS_TG_SUGGESTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir {
class Operation;
} // namespace mlir

namespace tg {

/// Returns the name in `known` that is nearest to `name`, or "" if none is
/// near. A name is near if at most a third of the characters differ, or if one
/// name is the last part of the other, as weight is of fc/weight. Ties go to
/// the first name. Names longer than 64 characters are near to none, and only
/// the first 1,000 names of `known` count, so that hostile input costs little.
llvm::StringRef nearestName(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> known);

/// Returns the end of a message about an unknown name: "; did you mean
/// 'train'?", or if no name is near, the first known names: "; there are
/// 'train', 'test' and 3 more"; "; there is none" without names.
std::string suggestName(llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> known);

/// Returns the text of suggestName() for an unknown variable of the module that
/// contains an op.
std::string suggestVariable(mlir::Operation *op, llvm::StringRef name);

} // namespace tg

#endif // TG_DIALECTS_TG_SUGGESTIONS_H
