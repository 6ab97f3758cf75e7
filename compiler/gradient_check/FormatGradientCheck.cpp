//===- FormatGradientCheck.cpp - a table of compared gradients ------------===//
#include "compiler/gradient_check/GradientCheck.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tg;

/// The line of the model that a location is about, and the layer.
static std::string placeOf(Location location) {
  std::string place, layer;
  location->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part); named && layer.empty())
      layer = named.getName().str();
    if (auto range = dyn_cast<FileLineColRange>(part); range && place.empty())
      place = std::to_string(range.getStartLine()) + ":" +
              std::to_string(range.getStartColumn());
    return WalkResult::advance();
  });
  return layer.empty() ? place : place + " " + layer;
}

/// What keeps derivatives from being compared.
static void formatLeftOut(llvm::raw_ostream &stream,
                          const ComparedDerivatives &derivatives) {
  if (derivatives.kinks)
    stream << ", " << derivatives.kinks << " at kinks";
  if (derivatives.undefined)
    stream << ", " << derivatives.undefined << " without finite differences";
  stream << '\n';
}

static void formatRow(llvm::raw_ostream &stream, StringRef name,
                      const ComparedDerivatives &derivatives) {
  stream << "  " << llvm::left_justify(name, 44) << ' ';
  if (derivatives.compared)
    stream << llvm::format("%9.1e", derivatives.worst);
  else
    stream << "        -";
  stream << llvm::format("  %u of %lld", derivatives.compared,
                         static_cast<long long>(derivatives.elements));
  formatLeftOut(stream, derivatives);
}

std::string tg::formatGradientCheck(const GradientCheckResult &result) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const CheckedRequest &request : result.requests) {
    stream << request.function << ": gradient at " << placeOf(request.location)
           << llvm::format(", target %.6g\n", request.target);
    stream << "  " << llvm::left_justify("of", 44) << "  relative  compared\n";
    for (const ComparedDerivatives &derivatives : request.wanted)
      formatRow(stream, derivatives.name, derivatives);
    for (const CheckedOp &op : request.ops)
      for (const ComparedDerivatives &derivatives : op.operands)
        formatRow(stream,
                  placeOf(op.location) + " " + op.name + " " + derivatives.name,
                  derivatives);
  }
  stream << (result.wrong == 0   ? "all derivatives are right"
             : result.wrong == 1 ? "1 tensor has wrong derivatives"
                                 : std::to_string(result.wrong) +
                                       " tensors have wrong derivatives")
         << '\n';
  return text;
}
