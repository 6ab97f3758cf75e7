//===- ReadModel.cpp - Reads a model from MLIR text -----------------------===//
//
// Opens an untrusted path, scans its untrusted text, parses it.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/ReadModel.h"
#include "compiler/frontend/text/SyntaxMessages.h"
#include "compiler/frontend/text/VerifyModel.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;
using namespace tg;

/// Returns the error "cannot read '<path>': <reason>".
static llvm::Error readError(StringRef path, const Twine &reason) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "cannot read '" + path + "': " + reason);
}

/// Returns the same for an errno value.
static llvm::Error readError(StringRef path, int errnoValue) {
  return readError(path, std::generic_category().message(errnoValue));
}

/// Returns a name for the kind of file in the type bits of `mode`.
static StringRef fileKind(mode_t mode) {
  if (S_ISDIR(mode))
    return "a directory";
  if (S_ISFIFO(mode))
    return "a pipe";
  if (S_ISSOCK(mode))
    return "a socket";
  return "a device";
}

/// Reads `fd` to its end. Fails if it has more than `maxBytes` bytes.
static llvm::Expected<SmallVector<char, 0>> readAll(int fd, StringRef path,
                                                    size_t maxBytes) {
  SmallVector<char, 0> bytes;
  struct stat status;
  // The size is only an estimate: the file may grow while it is read.
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
    bytes.reserve(std::min(size_t(status.st_size), maxBytes) + 1);
  for (;;) {
    size_t size = bytes.size();
    if (size > maxBytes)
      return readError(path, "has more than " + Twine(maxBytes) +
                                 " bytes, the most that is accepted");
    size_t room = std::min(std::max(bytes.capacity() - size, size_t(1) << 16),
                           maxBytes + 1 - size);
    bytes.resize_for_overwrite(size + room);
    ssize_t count = ::read(fd, bytes.data() + size, room);
    if (count < 0 && errno != EINTR)
      return readError(path, errno);
    bytes.truncate(size + std::max(count, ssize_t(0)));
    if (count == 0)
      return bytes;
  }
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
tg::openModel(StringRef path, size_t maxBytes) {
  bool standardInput = path == "-";
  int fd = STDIN_FILENO;
  if (!standardInput) {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    fd = ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
      return readError(path, errno);
  }
  llvm::scope_exit closeFile([&] {
    if (!standardInput)
      ::close(fd);
  });
  struct stat status;
  if (::fstat(fd, &status) != 0)
    return readError(path, errno);
  if (!standardInput && !S_ISREG(status.st_mode))
    return readError(path, "is " + fileKind(status.st_mode) +
                               ", expected a regular file");
  if (S_ISREG(status.st_mode) && size_t(status.st_size) > maxBytes)
    return readError(path, "has " + Twine(status.st_size) +
                               " bytes, expected at most " + Twine(maxBytes));
  auto bytes = readAll(fd, path, maxBytes);
  if (!bytes)
    return bytes.takeError();
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(*bytes), standardInput ? "<stdin>" : path);
}

namespace {
/// A handler that replaces MLIR's messages about unregistered dialects, which
/// say how to register them, by messages about models. MLIR's parser also
/// reports a word without a dialect in a region this way, such as `return`
/// after a missing brace.
class ForeignDialectFilter : public ScopedDiagnosticHandler {
public:
  ForeignDialectFilter(MLIRContext *context, const SyntaxMessages &messages)
      : ScopedDiagnosticHandler(
            context, [context, &messages](Diagnostic &diagnostic) {
              std::string text = diagnostic.str();
              StringRef message(text);
              if (!message.contains("with an unregistered dialect") &&
                  !message.contains("created with unregistered dialect") &&
                  !message.starts_with("Dialect `"))
                return failure();
              Location loc = diagnostic.getLocation();
              if (auto place = dyn_cast<FileLineColLoc>(loc))
                if (auto sentence = messages.describeWord(place))
                  return emitError(loc) << *sentence, success();
              return emitForeign(context, loc), success();
            }) {}

private:
  static void emitForeign(MLIRContext *context, Location loc) {
    std::vector<StringRef> names = context->getAvailableDialects();
    llvm::sort(names);
    StringRef last = names.back();
    names.pop_back();
    emitError(loc) << "expected ops, types and attributes of "
                   << llvm::join(names, ", ") << " and " << last
                   << " alone [M9]";
  }
};
} // namespace

OwningOpRef<ModuleOp> tg::parseModel(MLIRContext &context,
                                     llvm::SourceMgr &sourceMgr,
                                     std::unique_ptr<llvm::MemoryBuffer> buffer,
                                     const ScanLimits &limits) {
  StringRef text = buffer->getBuffer();
  StringRef name = buffer->getBufferIdentifier();
  sourceMgr.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  if (std::optional<ScanError> error = preScan(text, limits)) {
    emitError(FileLineColLoc::get(&context, name, error->line, error->column))
        << error->message;
    return nullptr;
  }
  std::optional<TypeClash> clash;
  OwningOpRef<ModuleOp> module;
  {
    SyntaxMessages messages(&context, text);
    ForeignDialectFilter filter(&context, messages);
    module = parseSourceFile<ModuleOp>(
        sourceMgr, ParserConfig(&context, /*verifyAfterParse=*/false));
    clash = messages.getClash();
  }
  if (clash)
    reportTypeClash(*clash, text);
  if (!module || failed(verifyModel(*module)))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp> tg::readModel(MLIRContext &context,
                                    llvm::SourceMgr &sourceMgr, StringRef path,
                                    const ScanLimits &limits) {
  auto buffer = openModel(path, limits.bytes);
  if (!buffer) {
    emitError(UnknownLoc::get(&context)) << llvm::toString(buffer.takeError());
    return nullptr;
  }
  return parseModel(context, sourceMgr, std::move(*buffer), limits);
}
