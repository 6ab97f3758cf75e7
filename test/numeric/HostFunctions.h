//===- HostFunctions.h - functions of the host that rows call -------------===//
#ifndef TG_TEST_NUMERIC_HOSTFUNCTIONS_H
#define TG_TEST_NUMERIC_HOSTFUNCTIONS_H

#include "dialects/tg/evaluation/Interpreter.h"
#include "tg/abi.h"

namespace tg::test {

/// An interpreter with the functions.
Interpreter makeInterpreter();

/// The same functions for compiled code; constant.
const tg_host_t &getHost();

} // namespace tg::test

#endif // TG_TEST_NUMERIC_HOSTFUNCTIONS_H
