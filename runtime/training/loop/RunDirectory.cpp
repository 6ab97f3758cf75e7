//===- RunDirectory.cpp - directories of trainings ------------------------===//
#include "RunDirectory.h"

#include "tg/data/feature.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <system_error>

using namespace tg;
using namespace tg::training;

RunDirectory::RunDirectory(const std::string &path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (failed)
    throw data::DataError(path +
                          ": cannot make the directory: " + failed.message());
  lock = Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock.isOpen())
    throw data::DataError(
        path + ": cannot open: " + std::generic_category().message(errno));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0)
    return;
  throw data::DataError(
      path +
      (errno == EWOULDBLOCK
           ? ": found another training that uses the directory, "
             "expected one at a time"
           : ": cannot lock: " + std::generic_category().message(errno)));
}
