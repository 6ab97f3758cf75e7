//===- ToolFiles.cpp - the files that tgc reads and writes ----------------===//
#include "ToolFiles.h"
#include "compiler/codegen/Backend.h"
#include "compiler/frontend/text/OutputFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

/// Returns the name of a model in a file with this stem. Replaces characters
/// that rule M1 does not allow.
static std::string nameOf(StringRef stem) {
  std::string name = stem.str();
  for (char &c : name)
    if (!llvm::isAlnum(c) && !llvm::is_contained({'_', '.', '-'}, c))
      c = '_';
  return name;
}

/// Returns true if --save-temps may write a file of this name: 1-graph.mlir,
/// x86-64-v3.ll, cuda-80.ptx.
static bool isNameOfTemp(StringRef name) {
  if (name.size() > 2 && llvm::isDigit(name[0]) && name[1] == '-' &&
      name.ends_with(".mlir"))
    return true;
  for (const tg::Backend *backend : tg::getBackends())
    for (int level : backend->getLevels())
      if (name == backend->nameOf(level) +
                      (backend->getDeviceCode() ? ".ptx" : ".ll"))
        return true;
  return false;
}

/// Returns true if --save-temps may overwrite `file`.
static bool isOfTemps(StringRef file, StringRef temps) {
  StringRef directory = llvm::sys::path::parent_path(file);
  return !temps.empty() && isNameOfTemp(llvm::sys::path::filename(file)) &&
         tg::isSameFile(directory.empty() ? "." : directory, temps);
}

/// Checks that no file is both read and written, and none is written twice.
static llvm::Error checkPaths(const ToolOptions &options) {
  const tg::CompileOptions &compile = options.compile;
  llvm::SmallVector<StringRef> written, read;
  for (StringRef file : {StringRef(options.output), StringRef(options.report)})
    if (!file.empty())
      written.push_back(file);
  for (StringRef file : {StringRef(options.input), StringRef(compile.weights)})
    if (!file.empty() && file != "-")
      read.push_back(file);
  if (written.size() == 2 && tg::isSameFile(written[0], written[1]))
    return llvm::createStringError(
        "expected another file for the report than '" + written[0] +
        "', which is the output");
  for (StringRef file : written) {
    for (StringRef other : read)
      if (file != "-" && tg::isSameFile(file, other))
        return llvm::createStringError("expected to write another file than '" +
                                       file + "', which is read");
    if (file != "-" && isOfTemps(file, compile.saveTemps))
      return llvm::createStringError("expected another file than '" + file +
                                     "', which --save-temps writes");
  }
  // --start-from reads files of --save-temps, and does not write them.
  if (!compile.startFrom)
    for (StringRef file : read)
      if (isOfTemps(file, compile.saveTemps))
        return llvm::createStringError("expected to read another file than '" +
                                       file + "', which --save-temps writes");
  return llvm::Error::success();
}

/// Sets the report format. A page requires a complete compilation.
static llvm::Error readReportFormat(ToolOptions &options) {
  if (options.report.empty())
    return llvm::Error::success();
  std::optional<tg::ReportFormat> format = tg::reportFormatOf(options.report);
  if (!format)
    return llvm::createStringError(
        tg::reportFormatError("--report", options.report));
  options.reportFormat = *format;
  if (*format == tg::ReportFormat::page &&
      options.compile.stopAfter < tg::Phase::kernels)
    return llvm::createStringError(
        "expected --stop-after=kernels or a later phase for the page '" +
        options.report + "', which shows kernels");
  return llvm::Error::success();
}

/// Returns true if the output is a regular file, whose name must match its
/// format, rather than a pipe or a device.
static bool isRegularOutput(StringRef output) {
  llvm::sys::fs::file_status status;
  return output != "-" && (llvm::sys::fs::status(output, status) ||
                           llvm::sys::fs::is_regular_file(status));
}

/// Checks that the ending of the output name matches its content. IR is text,
/// so it must not look like a library or an object file.
static llvm::Error checkEnding(const ToolOptions &options) {
  StringRef output = options.output;
  tg::Phase last = options.compile.stopAfter;
  if (!isRegularOutput(output))
    return llvm::Error::success();
  if (last < tg::Phase::object)
    return !output.ends_with(".so") && !output.ends_with(".o")
               ? llvm::Error::success()
               : llvm::createStringError(
                     "expected the name after -o to end in .mlir for text, "
                     "found '" +
                     output + "'");
  bool isForDevice =
      options.compile.kinds.front() != tg::CompileOptions().kinds.front();
  if (last == tg::Phase::object && isForDevice)
    return output.ends_with(".ptx")
               ? llvm::Error::success()
               : llvm::createStringError(
                     "expected the name after -o to end in .ptx for the code "
                     "of a device, found '" +
                     output + "'");
  if (output.ends_with(".o"))
    return llvm::Error::success();
  if (last == tg::Phase::library)
    return output.ends_with(".so")
               ? llvm::Error::success()
               : llvm::createStringError(
                     "expected the name after -o to end in .so for a library, "
                     "or in .o for an object file to link, found '" +
                     output + "'");
  return output.ends_with(".s")
             ? llvm::Error::success()
             : llvm::createStringError(
                   "expected the name after -o to end in .o for an object "
                   "file, or in .s for assembly, found '" +
                   output + "'");
}

llvm::Error finishFiles(ToolOptions &options) {
  tg::CompileOptions &compile = options.compile;
  StringRef stem = llvm::sys::path::stem(options.input);
  if (options.input != "-" && !stem.empty())
    compile.modelName = nameOf(stem);
  if (options.output.empty() && compile.stopAfter == tg::Phase::library)
    return llvm::createStringError(
        "expected a file to write, as in tgc model.mlir -o model.so, found "
        "none");
  if (options.output.empty())
    options.output = "-";
  if (llvm::Error error = checkPaths(options))
    return error;
  if (llvm::Error error = checkEnding(options))
    return error;
  if (llvm::Error error = readReportFormat(options))
    return error;
  StringRef output = options.output;
  compile.relocatable = output.ends_with(".o");
  compile.assembly = output == "-" || output.ends_with(".s");
  return llvm::Error::success();
}
