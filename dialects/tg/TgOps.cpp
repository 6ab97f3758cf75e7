//===- TgOps.cpp - the generated definitions of all ops -------------------===//
#include "dialects/tg/Elementwise.h"
#include "dialects/tg/Reduction.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/tg/TgOps.cpp.inc"

void tg::TgDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "dialects/tg/TgOps.cpp.inc"
      >();
}
