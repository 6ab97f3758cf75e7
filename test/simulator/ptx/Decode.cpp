#include "Check.h"
#include "Decoder.h"

using namespace tg::ptx;

const Code *Program::findKernel(std::string_view name) const {
  for (const Code &code : codes)
    if (code.isEntry && code.name == name)
      return &code;
  return nullptr;
}

/// The most bytes of the variables of a function in one space.
static constexpr uint64_t mostBytes = 1 << 20;

/// Returns the sum of the bytes of variables in a space, with room to align.
static uint64_t bytesOf(const std::vector<Variable> &variables, Space space) {
  uint64_t bytes = 0;
  for (const Variable &variable : variables)
    if (variable.space == space)
      bytes += variable.bytes + variable.alignment;
  return bytes;
}

/// Finds spaces with more variables than threads and blocks have memory.
static std::optional<Error> findExcess(const Module &module) {
  uint64_t common = bytesOf(module.variables, Space::Shared);
  for (const Function &function : module.functions)
    if (!function.isEntry)
      common += bytesOf(function.variables, Space::Shared);
  for (const Function &function : module.functions) {
    uint64_t shared = common;
    if (function.isEntry)
      shared += bytesOf(function.variables, Space::Shared);
    uint64_t parameters = bytesOf(function.variables, Space::Param) +
                          bytesOf(function.parameters, Space::Param) +
                          bytesOf(function.results, Space::Param);
    uint64_t local = bytesOf(function.variables, Space::Local);
    uint64_t most = std::max({shared, parameters, local});
    if (most > mostBytes)
      return Error{function.line, "expected at most " +
                                      std::to_string(mostBytes) +
                                      " bytes in '" + function.name +
                                      "', found " + std::to_string(most)};
  }
  return std::nullopt;
}

/// Places .shared variables behind the first `bytes` bytes. Returns their end.
static uint32_t placeShared(DecodedModule &shared,
                            const std::vector<Variable> &variables,
                            bool isDynamic, uint32_t bytes) {
  for (const Variable &variable : variables) {
    if (variable.space != Space::Shared || variable.isDynamic != isDynamic)
      continue;
    uint32_t alignment = variable.alignment;
    uint32_t offset = (bytes + alignment - 1) / alignment * alignment;
    shared.shared[&variable] = offset;
    bytes = offset + variable.bytes;
  }
  return bytes;
}

/// Places all .shared variables. Those of kernels share their place, behind
/// those of the module and of other functions. Dynamic ones are last. Stores
/// the bytes of each kernel.
static void placeShared(DecodedModule &shared) {
  const Module &module = shared.module;
  uint32_t common = placeShared(shared, module.variables, false, 0);
  for (const Function &function : module.functions)
    if (!function.isEntry)
      common = placeShared(shared, function.variables, false, common);
  uint32_t last = common;
  for (const Function &function : module.functions) {
    uint32_t &bytes = shared.sharedBytes[function.name] = common;
    if (function.isEntry)
      bytes = placeShared(shared, function.variables, false, common);
    last = std::max(last, bytes);
  }
  shared.program.dynamicShared =
      placeShared(shared, module.variables, /*isDynamic=*/true, last);
}

/// Marks the functions that call functions whose threads wait at barriers.
static void spreadWaits(std::vector<Code> &codes) {
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (Code &code : codes)
      for (const CallSite &call : code.calls)
        if (codes[call.callee].waits && !code.waits)
          code.waits = hasChanged = true;
  }
}

std::variant<Program, Error> tg::ptx::decodeModule(const Module &module,
                                                   const AddressOf &addressOf) {
  if (std::optional<Error> error = findExcess(module))
    return *error;
  std::vector<Error> unsupported = findUnsupported(module);
  if (!unsupported.empty())
    return unsupported.front();
  DecodedModule shared{module, addressOf, {}, {}, {}, {}};
  placeShared(shared);
  std::vector<Decoder> decoders;
  for (const Function &function : module.functions) {
    if (!function.isDefined)
      continue;
    shared.functions[function.name] = shared.program.codes.size();
    decoders.emplace_back(shared, function);
    shared.program.codes.push_back(decoders.back().place());
    shared.program.codes.back().sharedBytes = shared.sharedBytes[function.name];
  }
  for (size_t i = 0; i < decoders.size(); ++i)
    decoders[i].decode(shared.program.codes[i]);
  spreadWaits(shared.program.codes);
  return std::move(shared.program);
}
