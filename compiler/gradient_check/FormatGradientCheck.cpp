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
struct Place {
  std::string file, layer;
  unsigned line = 0, column = 0;
};
} // namespace

static Place findPlace(Location location) {
  Place place;
  location->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part); named && place.layer.empty())
      place.layer = named.getName().str();
    if (auto range = dyn_cast<FileLineColRange>(part); range && !place.line) {
      place.file = range.getFilename().str();
      place.line = range.getStartLine();
      place.column = range.getStartColumn();
    }
    return WalkResult::advance();
  });
  return place;
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static std::string placeOf(Location location) {
  Place place = findPlace(location);
  std::string text;
  if (place.line)
    text = std::to_string(place.line) + ":" + std::to_string(place.column);
  return place.layer.empty() ? text : text + " " + place.layer;
}

/// Writes the reasons why derivatives were not compared.
static void formatLeftOut(llvm::raw_ostream &stream,
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
  formatLeftOut(stream, derivatives);
}

std::string tg::formatGradientCheck(const GradientCheckResult &result) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const CheckedRequest &request : result.requests) {
    stream << request.function << ": gradient at " << placeOf(request.location)
           << llvm::format(", target %.6g\n", forPrinting(request.target));
    stream << "  " << llvm::left_justify("of", 44) << "  relative  compared\n";
    for (const ComparedDerivatives &derivatives : request.wanted)
      formatRow(stream, derivatives.name, derivatives);
    for (const CheckedOp &op : request.ops)
      for (const ComparedDerivatives &derivatives : op.operands)
        formatRow(stream,
                  placeOf(op.location) + " " + op.name + " " + derivatives.name,
                  derivatives);
  }
  auto isCutShort = [](const ComparedDerivatives &derivatives) {
    return derivatives.isCutShort;
  };
  bool isWhole = llvm::none_of(result.requests, [&](const auto &request) {
    return llvm::any_of(request.wanted, isCutShort) ||
           llvm::any_of(request.ops, [&](const CheckedOp &op) {
             return llvm::any_of(op.operands, isCutShort);
           });
  });
  stream << (result.wrong == 0   ? isWhole ? "all derivatives are right"
                                           : "all derivatives that there was "
                                             "time to compare are right"
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

static void writePlace(llvm::json::OStream &json, Location location) {
  Place place = findPlace(location);
  if (!place.layer.empty())
    json.attribute("layer", textOf(place.layer));
  if (place.line == 0)
    return;
  json.attribute("file", textOf(place.file));
  json.attribute("line", place.line);
  json.attribute("column", place.column);
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
  writePlace(json, request.location);
  json.attribute("target", numberOf(request.target));
  json.attributeArray("wanted", [&] {
    for (const ComparedDerivatives &wanted : request.wanted)
      writeDerivatives(json, wanted);
  });
  json.attributeArray("ops", [&] {
    for (const CheckedOp &op : request.ops)
      json.object([&] {
        json.attribute("op", op.name);
        writePlace(json, op.location);
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
