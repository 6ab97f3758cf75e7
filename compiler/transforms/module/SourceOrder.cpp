//===- SourceOrder.cpp - diagnostics in source order ----------------------===//
#include "compiler/transforms/module/SourceOrder.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace tg;

namespace {
/// A source position: the index of the file in the order of first mention, the
/// line, and the column.
using Place = std::tuple<size_t, unsigned, unsigned>;
} // namespace

static Place placeOf(const Diagnostic &diagnostic,
                     SmallVectorImpl<StringRef> &files) {
  auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
  if (!place)
    return {0, 0, 0};
  StringRef name = place.getFilename().getValue();
  size_t file = llvm::find(files, name) - files.begin();
  if (file == files.size())
    files.push_back(name);
  return {file + 1, place.getLine(), place.getColumn()};
}

/// Returns a copy that owns its text, because the arguments of the message may
/// be gone when it is emitted.
static Diagnostic copyOf(Diagnostic &diagnostic) {
  Diagnostic copy(diagnostic.getLocation(), diagnostic.getSeverity());
  copy << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    copy.attachNote(note.getLocation()) << note.str();
  return copy;
}

SourceOrder::SourceOrder(MLIRContext *context)
    : ScopedDiagnosticHandler(context,
                              [this](Diagnostic &diagnostic) {
                                if (isEmitting)
                                  return failure();
                                if (!isFull())
                                  kept.push_back(copyOf(diagnostic));
                                return success();
                              }),
      context(context) {}

SourceOrder::~SourceOrder() {
  isEmitting = true;
  SmallVector<StringRef> files;
  std::vector<std::pair<Place, size_t>> order;
  for (auto [number, diagnostic] : llvm::enumerate(kept))
    order.emplace_back(placeOf(diagnostic, files), number);
  llvm::sort(order);
  std::string last;
  Place lastPlace;
  for (auto [place, number] : order) {
    // Two rules, or two paths to an op, may report the same error.
    std::string text = kept[number].str();
    bool isRepeated = text == last && place == lastPlace;
    last = text;
    lastPlace = place;
    if (isRepeated)
      continue;
    context->getDiagEngine().emit(std::move(kept[number]));
  }
}
