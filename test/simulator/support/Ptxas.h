/// NVIDIA's assembler, where there is one.
#ifndef TG_TEST_SIMULATOR_SUPPORT_PTXAS_H
#define TG_TEST_SIMULATOR_SUPPORT_PTXAS_H

#include <string>

namespace tg::test {

/// Expects that the assembler which the environment variable TG_TEST_PTXAS
/// names accepts a module for sm_80. Expects nothing without that variable.
void expectAssembles(const std::string &text);

} // namespace tg::test

#endif
