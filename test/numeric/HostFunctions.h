//===- HostFunctions.h - host functions that rows call --------------------===//
#ifndef TG_TEST_NUMERIC_HOSTFUNCTIONS_H
#define TG_TEST_NUMERIC_HOSTFUNCTIONS_H

#include "dialects/tg/evaluation/Interpreter.h"
#include "tg/abi.h"

namespace tg::test {

/// Returns an interpreter with the host functions.
Interpreter makeInterpreter();

/// Returns the same host functions for compiled code. The table is constant.
const tg_host_t &getHost();

} // namespace tg::test

#endif // TG_TEST_NUMERIC_HOSTFUNCTIONS_H
