//===- Suggestions.h - what a misspelt name may mean ------------*- C++ -*-===//
#ifndef TG_DIALECTS_TG_SUGGESTIONS_H
#define TG_DIALECTS_TG_SUGGESTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir {
class Operation;
} // namespace mlir

namespace tg {

/// Returns the name in `known` that is nearest to `name`, or "" where none is
/// near: a third of the characters may differ, or one is the last part of the
/// other, as weight is of fc/weight. Of names that are equally near it is the
/// first. Names longer than 64 characters are near to none, and of
/// `known` the first 1,000 count, so that hostile input costs little.
llvm::StringRef nearestName(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> known);

/// Returns what stands in a message behind a name that there is not: "; did you
/// mean 'train'?", or where no name is near the first of those that there are:
/// "; there are 'train', 'test' and 3 more"; "; there is none" for no names.
std::string suggestName(llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> known);

/// The same for a name of a variable that the module around an op has not.
std::string suggestVariable(mlir::Operation *op, llvm::StringRef name);

} // namespace tg

#endif // TG_DIALECTS_TG_SUGGESTIONS_H
