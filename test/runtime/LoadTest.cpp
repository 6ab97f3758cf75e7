/// Loading: corrupt, foreign and newer files are refused before dlopen.
#include "support/Line.h"
#include "support/ModelFile.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace tg::test;

namespace {

/// Loads bytes and unloads the module. Returns the status of loading.
tg_status_t tryLoad(const Bytes &bytes, Error &error,
                    const tg_load_options_t *options = nullptr) {
  tg_module_t *module = nullptr;
  const tg_status_t status = tg_module_load_memory(bytes.data(), bytes.size(),
                                                   options, &module, &error);
  EXPECT_EQ(module != nullptr, status == TG_OK);
  if (module) {
    EXPECT_EQ(tg_module_unload(module, nullptr), TG_OK);
  }
  return status;
}

/// Returns the number of models of this name that are mapped into this process.
int mappedModels(const char *name = "tg-model") {
  std::FILE *maps = std::fopen("/proc/self/maps", "r");
  char line[512];
  int count = 0;
  while (std::fgets(line, sizeof(line), maps))
    count += std::strstr(line, name) && std::strstr(line, "r-xp");
  std::fclose(maps);
  return count;
}

/// Returns the paths of loaded libraries that begin with `prefix`.
std::vector<std::string> loadedPaths(const std::string &prefix) {
  std::pair<const std::string &, std::vector<std::string>> found{prefix, {}};
  dl_iterate_phdr(
      [](dl_phdr_info *library, size_t, void *user) {
        auto &[prefix, paths] = *static_cast<decltype(found) *>(user);
        if (std::string_view(library->dlpi_name).starts_with(prefix))
          paths.push_back(library->dlpi_name);
        return 0;
      },
      &found);
  return std::move(found.second);
}

class LoadTest : public testing::Test {
protected:
  Bytes file = readFile(linePath);
  Error error;
};

} // namespace

TEST_F(LoadTest, acceptsTheSealedFile) {
  EXPECT_EQ(tryLoad(file, error), TG_OK) << error.message;
  tg_trailer_t trailer;
  EXPECT_EQ(tg_module_verify(linePath.c_str(), &trailer, &error), TG_OK);
  EXPECT_EQ(trailer.payload_bytes, file.size() - sizeof(trailer));
  EXPECT_EQ(mappedModels(), 0);
}

TEST_F(LoadTest, namesTheMappingAfterTheFile) {
  tg_module_t *module = nullptr;
  ASSERT_EQ(tg_module_load(linePath.c_str(), nullptr, &module, &error), TG_OK)
      << error.message;
  EXPECT_EQ(mappedModels("/memfd:tg-model:line.so"), mappedModels());
  EXPECT_EQ(tg_module_unload(module, &error), TG_OK);
}

// Debuggers open a library by its path, which names this process. Afterwards it
// names no file: a debugger that opened a pipe would wait for it.
TEST_F(LoadTest, hasAPathForDebuggers) {
  tg_module_t *module = nullptr;
  ASSERT_EQ(tg_module_load(linePath.c_str(), nullptr, &module, &error), TG_OK)
      << error.message;
  const std::string fds = "/proc/" + std::to_string(getpid()) + "/fd/";
  const std::vector<std::string> paths = loadedPaths(fds);
  EXPECT_EQ(paths.size(), 1u);
  for (const std::string &path : paths) {
    EXPECT_GE(std::stoi(path.substr(path.rfind('/') + 1)), 700) << path;
    EXPECT_NE(access(path.c_str(), F_OK), 0) << path;
  }
  EXPECT_EQ(tg_module_unload(module, &error), TG_OK);
  EXPECT_TRUE(loadedPaths(fds).empty());
}

// A low limit of descriptors forbids the high number, but not the load.
TEST_F(LoadTest, needsNoHighDescriptor) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit low = {100, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  EXPECT_EQ(tryLoad(file, error), TG_OK) << error.message;
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST_F(LoadTest, refusesTruncations) {
  for (size_t i = 0; i < 200; ++i) {
    const Bytes cut(file.begin(),
                    file.begin() + static_cast<long>(file.size() * i / 200));
    EXPECT_EQ(tryLoad(cut, error), TG_ERROR_FORMAT) << cut.size();
  }
}

TEST_F(LoadTest, refusesBitFlips) {
  uint64_t random = 1;
  for (size_t i = 0; i < 1000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const size_t at = i < 512 ? file.size() - 1 - i / 2
                              : static_cast<size_t>(random >> 20) % file.size();
    file[at] ^= static_cast<uint8_t>(1 << (random >> 61));
    const tg_status_t status = tryLoad(file, error);
    EXPECT_TRUE(status == TG_ERROR_CORRUPT || status == TG_ERROR_FORMAT) << at;
    file[at] ^= static_cast<uint8_t>(1 << (random >> 61));
  }
}

TEST_F(LoadTest, refusesOtherMachinesAndTargets) {
  tg_trailer_t trailer = trailerOf(file);
  trailer.machine = 183;
  Bytes other = file;
  replaceTrailer(other, trailer);
  EXPECT_EQ(tryLoad(other, error), TG_ERROR_TARGET);
  EXPECT_STREQ(error.message, "code for ELF machine 183, expected 62, x86-64");
  trailer.machine = 62;
  trailer.targets = 1u << 15 | 1u << 1;
  replaceTrailer(other, trailer);
  EXPECT_EQ(tryLoad(other, error), TG_ERROR_TARGET);
  EXPECT_EQ(std::string(error.message)
                .find("the library has code for target 1, target 15, expected "
                      "a target that this CPU can run: x86-64-v2"),
            0u)
      << error.message;
}

TEST_F(LoadTest, refusesATrailerOfAnotherModel) {
  tg_trailer_t trailer = trailerOf(file);
  trailer.layout_id[0] ^= 1;
  replaceTrailer(file, trailer);
  EXPECT_EQ(tryLoad(file, error), TG_ERROR_FORMAT);
  EXPECT_EQ(mappedModels(), 0);
}

TEST_F(LoadTest, refusesBadSymbols) {
  tg_trailer_t trailer = trailerOf(file);
  std::memset(trailer.symbol, 'a', sizeof(trailer.symbol));
  replaceTrailer(file, trailer);
  EXPECT_EQ(tryLoad(file, error), TG_ERROR_FORMAT);
  std::memset(trailer.symbol, 0, sizeof(trailer.symbol));
  std::strcpy(trailer.symbol, "missing");
  replaceTrailer(file, trailer);
  EXPECT_EQ(tryLoad(file, error), TG_ERROR_LOAD);
}

TEST_F(LoadTest, refusesWhatIsNoLibrary) {
  EXPECT_EQ(tryLoad(seal(Bytes(500, 'x')), error), TG_ERROR_FORMAT);
  Bytes other = readFile(rawLinePath);
  other[18] = 183; // e_machine
  EXPECT_EQ(tryLoad(seal(other), error), TG_ERROR_TARGET);
  EXPECT_EQ(tryLoad(readFile(rawLinePath), error), TG_ERROR_FORMAT);
  tg_module_t *module;
  EXPECT_EQ(tg_module_load_memory(nullptr, 10, nullptr, &module, &error),
            TG_ERROR_NULL);
}

TEST_F(LoadTest, mayDoWithoutTrailer) {
  const tg_load_options_t options = {
      sizeof(options), TG_LOAD_WITHOUT_TRAILER, 0, 0, nullptr, {}};
  EXPECT_EQ(tryLoad(readFile(rawLinePath), error, &options), TG_OK)
      << error.message;
  file[file.size() / 2] ^= 1; // a wrong trailer is still refused
  EXPECT_EQ(tryLoad(file, error, &options), TG_ERROR_CORRUPT);
  EXPECT_EQ(tryLoad(Bytes(300, 'x'), error, &options), TG_ERROR_FORMAT);
}

TEST_F(LoadTest, refusesPathsThatAreNoFiles) {
  tg_module_t *module = nullptr;
  const auto load = [&](const char *path) {
    return tg_module_load(path, nullptr, &module, &error);
  };
  EXPECT_EQ(load(nullptr), TG_ERROR_NULL);
  EXPECT_EQ(load("/nonexistent/model.so"), TG_ERROR_IO);
  EXPECT_EQ(load("/"), TG_ERROR_IO);
  EXPECT_EQ(load("/dev/zero"), TG_ERROR_IO);
  const std::string fifo = testing::TempDir() + "/tg-fifo";
  ::unlink(fifo.c_str());
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(load(fifo.c_str()), TG_ERROR_IO); // and does not hang
  ::unlink(fifo.c_str());
}

TEST_F(LoadTest, foreignFilesAreRefusedBeforeTheyAreCopied) {
  const std::string path = testing::TempDir() + "/tg-huge.so";
  ASSERT_TRUE(writeFile(path, file));
  ASSERT_EQ(::truncate(path.c_str(), int64_t(1) << 40), 0); // all holes
  tg_module_t *module = nullptr;
  EXPECT_EQ(tg_module_load(path.c_str(), nullptr, &module, &error),
            TG_ERROR_FORMAT);
  EXPECT_EQ(tg_module_verify(path.c_str(), nullptr, &error), TG_ERROR_FORMAT);
  ::unlink(path.c_str());
}

TEST_F(LoadTest, wantOfDescriptorsIsAStatus) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int lowest = ::open("/dev/null", O_RDONLY);
    bool ok = true;
    for (int more = 0; more < 3; ++more) {
      const rlimit limit = {rlim_t(lowest + more), rlim_t(lowest + 16)};
      ::setrlimit(RLIMIT_NOFILE, &limit);
      tg_module_t *module = nullptr;
      const tg_status_t status =
          tg_module_load(linePath.c_str(), nullptr, &module, &error);
      // Opening the file, its copy, or a file of the dynamic loader fails.
      ok &= !module && (status == TG_ERROR_IO || status == TG_ERROR_MEMORY ||
                        status == TG_ERROR_LOAD);
    }
    const rlimit enough = {rlim_t(lowest + 16), rlim_t(lowest + 16)};
    ::setrlimit(RLIMIT_NOFILE, &enough);
    ok &= tryLoad(file, error) == TG_OK;
    ::_exit(ok ? 0 : 1);
  }
  int status;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(LoadTest, targetsAreOptional) {
  tg_load_options_t options = {sizeof(options), 0, TG_TARGET_X86_64_V2, 0,
                               nullptr,         {}};
  tg_module_t *module;
  ASSERT_EQ(tg_module_load(linePath.c_str(), &options, &module, &error), TG_OK);
  EXPECT_EQ(tg_module_model(module)->target, uint32_t(TG_TARGET_X86_64_V2));
  EXPECT_EQ(tg_module_unload(module, &error), TG_OK);
  options.target = 9;
  EXPECT_EQ(tryLoad(file, error, &options), TG_ERROR_NOT_FOUND);
  options.target = 0;
  options.flags = 1u << 31;
  EXPECT_EQ(tryLoad(file, error, &options), TG_ERROR_STRUCT);
}

TEST_F(LoadTest, theFileMayChangeUnderARunningModel) {
  const std::string path = testing::TempDir() + "/tg-changed.so";
  ASSERT_TRUE(writeFile(path, file));
  tg_module_t *first, *second;
  ASSERT_EQ(tg_module_load(path.c_str(), nullptr, &first, &error), TG_OK);
  ASSERT_TRUE(writeFile(path, readFile(otherPath))); // in place
  ASSERT_EQ(tg_module_load(path.c_str(), nullptr, &second, &error), TG_OK);
  ASSERT_EQ(::truncate(path.c_str(), 0), 0);
  const tg_model_t *a = tg_module_model(first);
  const tg_model_t *b = tg_module_model(second);
  EXPECT_NE(a, b);
  EXPECT_EQ(a->layout_id[0], 16);
  EXPECT_EQ(b->layout_id[0], 99);
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  EXPECT_EQ(a->functions[0]->plan(a->functions[0], &plan, &error), TG_OK);
  EXPECT_EQ(tg_module_unload(first, &error), TG_OK);
  EXPECT_EQ(tg_module_unload(second, &error), TG_OK);
  ::unlink(path.c_str());
}

TEST_F(LoadTest, loadingLeaksNoDescriptor) {
  const int before = ::open("/dev/null", O_RDONLY);
  ::close(before);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(tryLoad(file, error), TG_OK);
  EXPECT_EQ(tryLoad(Bytes(10, 'x'), error), TG_ERROR_FORMAT);
  const int after = ::open("/dev/null", O_RDONLY);
  ::close(after);
  EXPECT_EQ(before, after);
}

TEST_F(LoadTest, verifyHookSeesTheFileAndMayRefuseIt) {
  struct Seen {
    Bytes bytes;
    int errors = 0;
    int32_t answer = 0;
  } seen;
  tg_hooks_t hooks = {};
  hooks.struct_size = sizeof(hooks);
  hooks.user = &seen;
  hooks.verify = [](void *user, const void *data, uint64_t bytes) {
    const auto *begin = static_cast<const uint8_t *>(data);
    static_cast<Seen *>(user)->bytes.assign(begin, begin + bytes);
    return static_cast<Seen *>(user)->answer;
  };
  hooks.error = [](void *user, const tg_error_t *) {
    ++static_cast<Seen *>(user)->errors;
  };
  const tg_load_options_t options = {sizeof(options), 0, 0, 0, &hooks, {}};
  EXPECT_EQ(tryLoad(file, error, &options), TG_OK);
  EXPECT_EQ(seen.bytes, file);
  EXPECT_EQ(seen.errors, 0);
  seen.answer = 1;
  EXPECT_EQ(tryLoad(file, error, &options), TG_ERROR_HOST);
  EXPECT_EQ(seen.errors, 1);
  seen.bytes.clear();
  file[100] ^= 1;
  EXPECT_EQ(tryLoad(file, error, &options), TG_ERROR_CORRUPT);
  EXPECT_TRUE(seen.bytes.empty()); // only after the hashes were right
  hooks.release = [](void *, void *, uint64_t) {};
  EXPECT_EQ(tryLoad(file, error, &options), TG_ERROR_STRUCT);
}

TEST_F(LoadTest, adoptsALinkedModel) {
  tg_module_t *module;
  ASSERT_EQ(tg_module_adopt(line_tg_model_get, nullptr, &module, &error),
            TG_OK);
  EXPECT_STREQ(tg_module_model(module)->name, "line");
  EXPECT_EQ(tg_module_unload(module, &error), TG_OK);
  EXPECT_EQ(tg_module_adopt(nullptr, nullptr, &module, &error), TG_ERROR_NULL);
  EXPECT_EQ(module, nullptr);
}

TEST_F(LoadTest, failuresNameTheFile) {
  const std::string path = testing::TempDir() + "/tg-named.so";
  const auto expect = [&](const char *message) {
    tg_module_t *module;
    EXPECT_NE(tg_module_load(path.c_str(), nullptr, &module, &error), TG_OK);
    EXPECT_EQ(std::string(error.message), "'" + path + "': " + message);
    EXPECT_NE(tg_module_verify(path.c_str(), nullptr, &error), TG_OK);
    EXPECT_EQ(std::string(error.message), "'" + path + "': " + message);
  };
  file[5000] ^= 1;
  ASSERT_TRUE(writeFile(path, file));
  expect("the hash of the contents is wrong");
  file.resize(file.size() - 1);
  ASSERT_TRUE(writeFile(path, file));
  expect("no trailer at the end: not a model library, cut short, or rewritten "
         "by strip or objcopy");
  for (const char *text : {"x", "func.func @f() { return }"}) {
    ASSERT_TRUE(writeFile(path, Bytes(text, text + std::strlen(text))));
    expect("found no ELF file, expected a library that tgc compiled, for "
           "example from the text of a model");
  }
  const char checkpoint[] = "\x02\0\0\0\0\0\0\0{}";
  ASSERT_TRUE(writeFile(path, Bytes(checkpoint, std::end(checkpoint) - 1)));
  expect("found a checkpoint, expected a library that tgc compiled, whose "
         "contexts load checkpoints");
  ::unlink(path.c_str());
}

// RLIMIT_FSIZE applies to memfd files and raises SIGXFSZ, which is fatal by
// default.
TEST_F(LoadTest, aLimitOfFileSizesIsAStatus) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit = {4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    tg_module_t *module;
    const bool isRefused =
        tg_module_load(linePath.c_str(), nullptr, &module, &error) ==
            TG_ERROR_IO &&
        std::strstr(error.message, "line.so': the limit of file sizes") &&
        tryLoad(file, error) == TG_ERROR_IO;
    ::_exit(isRefused ? 0 : 1);
  }
  int status;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "killed by " << WTERMSIG(status);
  EXPECT_EQ(status, 0);
}
