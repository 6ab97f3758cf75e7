//===- ControlOps.cpp - regions -------------------------------------------===//
#include "dialects/tg/ControlOps.h"
#include "dialects/tg/StateOps.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/tg/ControlOps.cpp.inc"
