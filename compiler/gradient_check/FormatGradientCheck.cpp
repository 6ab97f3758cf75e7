//===- FormatGradientCheck.cpp - a table of compared gradients ------------===//
#include "compiler/gradient_check/Comparisons.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace tg;

namespace {
/// The source position and layer of a location; empty and 0 if it has none.
struct SourcePosition {
  std::string file, layer;
  unsigned line = 0, column = 0;
};
} // namespace

static SourcePosition findPosition(Location location) {
  SourcePosition position;
  location->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part); named && position.layer.empty())
      position.layer = named.getName().str();
    if (auto range = dyn_cast<FileLineColRange>(part);
        range && !position.line) {
      position.file = range.getFilename().str();
      position.line = range.getStartLine();
      position.column = range.getStartColumn();
    }
    return WalkResult::advance();
  });
  return position;
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static std::string formatPosition(Location location) {
  SourcePosition position = findPosition(location);
  std::string text;
  if (position.line)
    text =
        std::to_string(position.line) + ":" + std::to_string(position.column);
  return position.layer.empty() ? text : text + " " + position.layer;
}

/// Writes the reasons why derivatives were not compared.
static void formatSkipped(llvm::raw_ostream &stream,
                          const ComparedDerivatives &derivatives) {
  if (derivatives.kinks)
    stream << ", " << derivatives.kinks << " at kinks";
  if (derivatives.undefined)
    stream << ", " << derivatives.undefined << " without finite differences";
  if (derivatives.isCutShort)
    stream << ", out of time";
  stream << '\n';
}

static void formatRow(llvm::raw_ostream &stream, StringRef name,
                      const ComparedDerivatives &derivatives) {
  stream << "  " << llvm::left_justify(name, 44) << ' ';
  if (derivatives.compared)
    stream << llvm::format("%9.1e", forPrinting(derivatives.worst));
  else
    stream << "        -";
  stream << llvm::format("  %u of %lld", derivatives.compared,
                         static_cast<long long>(derivatives.elements));
  formatSkipped(stream, derivatives);
}

std::string tg::formatGradientCheck(const GradientCheckResult &result) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const CheckedRequest &request : result.requests) {
    stream << request.function << ": gradient at "
           << formatPosition(request.location)
           << llvm::format(", target %.6g\n", forPrinting(request.target));
    stream << "  " << llvm::left_justify("of", 44) << "  relative  compared\n";
    for (const ComparedDerivatives &derivatives : request.wanted)
      formatRow(stream, derivatives.name, derivatives);
    for (const CheckedOp &op : request.ops)
      for (const ComparedDerivatives &derivatives : op.operands)
        formatRow(stream,
                  formatPosition(op.location) + " " + op.name + " " +
                      derivatives.name,
                  derivatives);
  }
  auto isCutShort = [](const ComparedDerivatives &derivatives) {
    return derivatives.isCutShort;
  };
  bool isComplete = llvm::none_of(result.requests, [&](const auto &request) {
    return llvm::any_of(request.wanted, isCutShort) ||
           llvm::any_of(request.ops, [&](const CheckedOp &op) {
             return llvm::any_of(op.operands, isCutShort);
           });
  });
  stream << (result.wrong == 0   ? isComplete ? "all derivatives are right"
                                              : "all derivatives that were "
                                                "compared in time are right"
             : result.wrong == 1 ? "1 tensor has wrong derivatives"
                                 : std::to_string(result.wrong) +
                                       " tensors have wrong derivatives")
         << '\n';
  return text;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Converts a name, which may have any bytes, to UTF-8 for JSON.
static std::string textOf(StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

static llvm::json::Value numberOf(double number) {
  return std::isfinite(number) ? llvm::json::Value(number) : nullptr;
}

static void writePosition(llvm::json::OStream &json, Location location) {
  SourcePosition position = findPosition(location);
  if (!position.layer.empty())
    json.attribute("layer", textOf(position.layer));
  if (position.line == 0)
    return;
  json.attribute("file", textOf(position.file));
  json.attribute("line", position.line);
  json.attribute("column", position.column);
}

static void writeDerivatives(llvm::json::OStream &json,
                             const ComparedDerivatives &derivatives) {
  auto writeNumbers = [&](StringRef name, ArrayRef<int64_t> numbers) {
    json.attributeArray(name, [&] {
      for (int64_t number : numbers)
        json.value(number);
    });
  };
  json.object([&] {
    json.attribute("name", textOf(derivatives.name));
    writeNumbers("shape", derivatives.shape);
    json.attribute("elements", derivatives.elements);
    json.attribute("compared", derivatives.compared);
    json.attribute("kinks", derivatives.kinks);
    json.attribute("undefined", derivatives.undefined);
    json.attribute("cut_short", derivatives.isCutShort);
    json.attribute("wrong", derivatives.isWrong);
    if (!derivatives.compared)
      return;
    json.attribute("error", numberOf(derivatives.worst));
    json.attribute("found", numberOf(derivatives.found));
    json.attribute("expected", numberOf(derivatives.expected));
    if (derivatives.element)
      writeNumbers("index", unflatten(*derivatives.element, derivatives.shape));
  });
}

static void writeRequest(llvm::json::OStream &json,
                         const CheckedRequest &request) {
  json.attribute("function", textOf(request.function));
  writePosition(json, request.location);
  json.attribute("target", numberOf(request.target));
  json.attributeArray("wanted", [&] {
    for (const ComparedDerivatives &wanted : request.wanted)
      writeDerivatives(json, wanted);
  });
  json.attributeArray("ops", [&] {
    for (const CheckedOp &op : request.ops)
      json.object([&] {
        json.attribute("op", op.name);
        writePosition(json, op.location);
        json.attributeArray("operands", [&] {
          for (const ComparedDerivatives &operand : op.operands)
            writeDerivatives(json, operand);
        });
      });
  });
}

std::string tg::formatGradientCheckAsJson(const GradientCheckResult &result) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("wrong", result.wrong);
    json.attributeArray("requests", [&] {
      for (const CheckedRequest &request : result.requests)
        json.object([&] { writeRequest(json, request); });
    });
  });
  stream << '\n';
  return text;
}
