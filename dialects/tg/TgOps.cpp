//===- TgOps.cpp - the list of all ops ------------------------------------===//
#include "dialects/tg/TgOps.h"

void tg::TgDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "dialects/tg/TgOps.cpp.inc"
      >();
}
