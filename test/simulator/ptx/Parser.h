/// Parses PTX text.
#ifndef TG_TEST_SIMULATOR_PTX_PARSER_H
#define TG_TEST_SIMULATOR_PTX_PARSER_H

#include "Module.h"

#include <string_view>
#include <variant>

namespace tg::ptx {

/// Parses the text of a module, as LLVM's NVPTX back end prints it. Any text
/// gives a module or an error with its line. Checks names of registers, but not
/// instructions: `findUnsupported` does.
std::variant<Module, Error> parseModule(std::string_view text);

} // namespace tg::ptx

#endif
