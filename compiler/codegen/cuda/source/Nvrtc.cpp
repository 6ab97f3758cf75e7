//===- Nvrtc.cpp - the run-time compiler of the CUDA toolkit --------------===//
#include "compiler/codegen/cuda/source/Nvrtc.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <dlfcn.h>

using namespace tg;
using llvm::StringRef;

/// The name of a source in logs.
static constexpr char kSourceName[] = "kernel.cu";

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

/// Returns the names under which the library is looked for, the newest first.
static std::vector<std::string> candidates() {
  if (auto path = llvm::sys::Process::GetEnv(kNvrtcVariable))
    return {*path};
  std::vector<std::string> names;
  for (StringRef directory : {"", "/usr/local/cuda/lib64/"})
    for (StringRef name : {"libnvrtc.so.13", "libnvrtc.so.12",
                           "libnvrtc.so.11.2", "libnvrtc.so"})
      names.push_back((directory + name).str());
  return names;
}

/// Returns the directory of the headers beside the library that has a function;
/// "" if there is none.
static std::string findHeaders(void *function) {
  Dl_info info;
  if (!dladdr(function, &info) || !info.dli_fname)
    return "";
  StringRef library = llvm::sys::path::parent_path(info.dli_fname);
  llvm::SmallString<128> headers = llvm::sys::path::parent_path(library);
  llvm::sys::path::append(headers, "include");
  return llvm::sys::fs::is_directory(headers) ? headers.str().str() : "";
}

Nvrtc::Nvrtc(std::string &error) {
  std::vector<std::string> names = candidates();
  void *library = nullptr;
  for (const std::string &name : names)
    if (!library)
      library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    error =
        "expected NVRTC of the CUDA toolkit to compile CUDA C++, found no " +
        llvm::join(names, ", ") + "; " + kNvrtcVariable +
        " names another path, and ptx in place of cuda needs no compiler";
    return;
  }
  auto load = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        dlsym(library, name));
    if (!function && error.empty())
      error = std::string("expected NVRTC of the CUDA toolkit, found a library "
                          "without ") +
              name;
  };
  load(nvrtcCreateProgram, "nvrtcCreateProgram");
  load(nvrtcDestroyProgram, "nvrtcDestroyProgram");
  load(nvrtcCompileProgram, "nvrtcCompileProgram");
  load(nvrtcGetPTXSize, "nvrtcGetPTXSize");
  load(nvrtcGetPTX, "nvrtcGetPTX");
  load(nvrtcGetProgramLogSize, "nvrtcGetProgramLogSize");
  load(nvrtcGetProgramLog, "nvrtcGetProgramLog");
  load(nvrtcGetErrorString, "nvrtcGetErrorString");
  headers = findHeaders(reinterpret_cast<void *>(nvrtcCreateProgram));
}

const Nvrtc *Nvrtc::find(std::string &error) {
  // The library stays loaded, as its documentation allows no unloading.
  static std::string failure;
  static const Nvrtc loaded(failure);
  error = failure;
  return failure.empty() ? &loaded : nullptr;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// The place of an error after the last line.
static constexpr char kEnd[] = "At end of source: ";

std::vector<NvrtcError> tg::findNvrtcErrors(StringRef log) {
  std::vector<NvrtcError> errors;
  llvm::SmallVector<StringRef> lines;
  log.split(lines, '\n');
  for (StringRef line : lines) {
    auto [place, text] = line.split("error: ");
    auto [file, number] = place.split('(');
    unsigned at = 0;
    bool hasPlace = place == kEnd || (!number.consumeInteger(10, at) &&
                                      number.starts_with("): "));
    if (!text.empty() && hasPlace)
      errors.push_back({at, text.trim().str()});
  }
  return errors;
}

/// Returns a text of the library: its size and content by two functions.
static std::string readText(void *program, int (*size)(void *, size_t *),
                            int (*read)(void *, char *)) {
  size_t bytes = 0;
  if (size(program, &bytes) || !bytes)
    return "";
  std::string text(bytes, '\0');
  if (read(program, text.data()))
    return "";
  text.resize(bytes - 1); // without the zero at the end
  return text;
}

NvrtcResult Nvrtc::compile(StringRef source, unsigned capability) const {
  std::string text = source.str();
  std::string architecture =
      "--gpu-architecture=compute_" + std::to_string(capability);
  std::string include = "--include-path=" + headers;
  std::vector<const char *> options = {architecture.c_str()};
  if (!headers.empty())
    options.push_back(include.c_str());
  Program program = nullptr;
  NvrtcResult result;
  int status = nvrtcCreateProgram(&program, text.c_str(), kSourceName, 0,
                                  nullptr, nullptr);
  if (!status)
    status = nvrtcCompileProgram(program, int(options.size()), options.data());
  if (!status)
    result.ptx = readText(program, nvrtcGetPTXSize, nvrtcGetPTX);
  else if (program)
    result.errors = findNvrtcErrors(
        readText(program, nvrtcGetProgramLogSize, nvrtcGetProgramLog));
  if (result.ptx.empty() && result.errors.empty())
    result.failure =
        std::string("NVRTC failed with ") + nvrtcGetErrorString(status);
  if (program)
    nvrtcDestroyProgram(&program);
  return result;
}
