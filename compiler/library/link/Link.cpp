//===- Link.cpp - from object files to one library ------------------------===//
#include "compiler/library/link/Link.h"
#include "compiler/library/link/Descriptor.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace tg;
using llvm::Error;
using llvm::SmallVectorImpl;

static Error systemError(const char *action) {
  return llvm::createStringError(
      std::error_code(errno, std::generic_category()), "cannot %s: %s", action,
      strerror(errno));
}

/// Creates a file in memory with the given bytes.
static llvm::Expected<Descriptor> createMemoryFile(llvm::ArrayRef<char> bytes) {
  Descriptor file(memfd_create("object", MFD_CLOEXEC));
  if (file.get() < 0)
    return systemError("create a file in memory");
  while (!bytes.empty()) {
    ssize_t written = write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return systemError("write a file in memory");
    bytes = bytes.drop_front(std::max<ssize_t>(written, 0));
  }
  return std::move(file);
}

/// Creates an archive of the objects in memory. One archive instead of many
/// files avoids the limit on open files.
static llvm::Expected<Descriptor>
createArchive(llvm::ArrayRef<FileBytes> objects) {
  std::vector<llvm::NewArchiveMember> members;
  for (const FileBytes &object : objects)
    members.emplace_back(llvm::MemoryBufferRef(
        llvm::StringRef(object.data(), object.size()), "object"));
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> archive =
      llvm::writeArchiveToBuffer(members, llvm::SymtabWritingMode::NoSymtab,
                                 llvm::object::Archive::K_GNU,
                                 /*Deterministic=*/true, /*Thin=*/false);
  if (!archive)
    return archive.takeError();
  return createMemoryFile(llvm::ArrayRef((*archive)->getBufferStart(),
                                         (*archive)->getBufferSize()));
}

/// Appends all bytes from a pipe until its other end is closed.
static void readAll(int pipe, SmallVectorImpl<char> &bytes) {
  char piece[1 << 16];
  for (;;) {
    ssize_t count = read(pipe, piece, sizeof(piece));
    if (count > 0)
      bytes.append(piece, piece + count);
    else if (count == 0 || errno != EINTR)
      return;
  }
}

/// Runs lld with `arguments` on the objects. The output file is a pipe: lld
/// would create a regular file under a temporary name and rename it.
static Error runLinker(llvm::ArrayRef<const char *> arguments,
                       llvm::ArrayRef<FileBytes> objects,
                       SmallVectorImpl<char> &output) {
  llvm::Expected<Descriptor> file = createArchive(objects);
  if (!file)
    return file.takeError();
  std::string inputPath = file->path();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return systemError("create a pipe");
  Descriptor reader(ends[0]), writer(ends[1]);
  std::string outputPath = writer.path();

  std::vector<const char *> command = {"ld.lld", "-o", outputPath.c_str()};
  llvm::append_range(command, arguments);
  llvm::append_range(command, std::initializer_list<const char *>{
                                  "--whole-archive", inputPath.c_str()});
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  // lld keeps its state in globals.
  static std::mutex oneAtATime;
  static bool isUsable = true;
  std::lock_guard lock(oneAtATime);
  if (!isUsable)
    return llvm::createStringError("the linker crashed in an earlier link");
  output.clear();
  std::thread copier([&] { readAll(reader.get(), output); });
  lld::Result result =
      lld::lldMain(command, stream, stream, {{lld::Gnu, &lld::elf::link}});
  writer.reset();
  copier.join();
  isUsable = result.canRunAgain;
  if (result.retCode != 0)
    return llvm::createStringError("linking failed: " +
                                   llvm::StringRef(messages).trim());
  return Error::success();
}

Error tg::linkShared(llvm::ArrayRef<FileBytes> objects,
                     SmallVectorImpl<char> &library, const SymbolNames *names) {
  FileBytes linked;
  // memcpy, memset and the like stay undefined and are not linked from a
  // library, because every process that loads a model has a libc.
  if (Error error = runLinker(
          {"-shared", "--gc-sections", names ? "--strip-debug" : "--strip-all",
           "--build-id=none", "--hash-style=gnu", "-znow", "-zrelro",
           "-znoexecstack", "--eh-frame-hdr", "--unresolved-symbols=ignore-all",
           "--threads=1"},
          objects, names ? linked : library))
    return error;
  return names ? localizeHidden(linked, library, names) : Error::success();
}

Error tg::linkRelocatable(llvm::ArrayRef<FileBytes> objects,
                          SmallVectorImpl<char> &object,
                          const SymbolNames *names) {
  FileBytes merged;
  if (Error error =
          runLinker({"-r", "--strip-debug", "--threads=1"}, objects, merged))
    return error;
  return localizeHidden(merged, object, names);
}
