//===- FilesTest.cpp - damaged and changing files of all formats ----------===//
#include "Kinds.h"

#include "test/data/images/TestImages.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace tg::data;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

std::string HostileTest::jpeg() {
  const Bytes bytes =
      encodeJpeg({9, 8, 7, 6, 5, 4}, 3, 2, TJPF_GRAY, TJSAMP_GRAY);
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

namespace {

/// Expects that a file is refused with its name, or gives what the whole one
/// gives.
void expectRight(const std::string &path, const std::string &outcome,
                 const std::string &whole, const std::string &what) {
  if (outcome.starts_with("refused: "))
    EXPECT_THAT(outcome, HasSubstr(path)) << what;
  else
    EXPECT_EQ(outcome, whole) << path << ": " << what;
}

using HostileFiles = HostileTest;

TEST_F(HostileFiles, AreRead) {
  for (const Kind &kind : kinds)
    EXPECT_THAT(outcomeOf(path(kind.name)), testing::Not(StartsWith("refused")))
        << kind.name;
}

TEST_F(HostileFiles, CutAtEachByte) {
  for (const Kind &kind : kinds) {
    const std::string whole = bytesOf(kind);
    // Larger files have many equal bytes in the middle.
    for (size_t size = 0; size < whole.size();
         size += size < 300 || size + 20 > whole.size() ? 1 : 19) {
      const std::string file = write(kind.name, whole.substr(0, size));
      const std::string outcome = outcomeOf(file);
      if (outcome.starts_with("refused: "))
        EXPECT_THAT(outcome, HasSubstr(file)) << size;
      else
        EXPECT_FALSE(kind.noticesCuts) << kind.name << " at " << size;
    }
    write(kind.name, whole);
  }
}

TEST_F(HostileFiles, EachByteChanged) {
  for (const Kind &kind : kinds) {
    const std::string file = path(kind.name);
    const std::string bytes = bytesOf(kind), whole = outcomeOf(file);
    // The pixels of CIFAR are all alike.
    for (size_t at = 0; at < std::min<size_t>(bytes.size(), 300); ++at)
      for (int change : {1, 0x80}) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ change);
        const std::string outcome = outcomeOf(write(kind.name, changed));
        expectRight(file, outcome, kind.hasChecksums ? whole : outcome,
                    "byte " + std::to_string(at));
      }
  }
}

/// Paths that are no regular files.
TEST_F(HostileFiles, ThatAreNone) {
  using Make = void (*)(const std::string &path);
  const std::pair<const char *, Make> all[] = {
      {"directory",
       [](const std::string &path) { fs::create_directory(path); }},
      {"pipe",
       [](const std::string &path) {
         EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
       }},
      {"device",
       [](const std::string &path) { fs::create_symlink("/dev/zero", path); }},
      {"link to nothing",
       [](const std::string &path) { fs::create_symlink("nothing", path); }},
      {"link to itself",
       [](const std::string &path) {
         fs::create_symlink(fs::path(path).filename(), path);
       }},
      {"nothing", [](const std::string &) {}},
  };
  for (const Kind &kind : kinds) {
    const std::string file = path(kind.name);
    for (const auto &[what, make] : all) {
      fs::remove_all(file);
      make(file);
      // A directory of images without images is named itself.
      const std::string outcome = outcomeOf(file);
      EXPECT_THAT(outcome, StartsWith("refused: ")) << what;
      EXPECT_THAT(outcome, AnyOf(HasSubstr(file), HasSubstr(sourceOf(file))))
          << what;
    }
  }
}

TEST_F(HostileFiles, BehindLinksAreRead) {
  for (const Kind &kind : kinds) {
    const std::string file = path(kind.name);
    const std::string whole = outcomeOf(file);
    fs::rename(file, path("other"));
    fs::create_symlink(path("other"), file);
    EXPECT_EQ(outcomeOf(file), whole);
  }
}

/// Files that change after they were opened.
TEST_F(HostileFiles, ThatChange) {
  using Change = void (*)(const std::string &path, const std::string &bytes);
  const std::pair<const char *, Change> changes[] = {
      {"cut",
       [](const std::string &path, const std::string &bytes) {
         fs::resize_file(path, bytes.size() / 2);
       }},
      {"empty", [](const std::string &path,
                   const std::string &) { fs::resize_file(path, 0); }},
      {"longer",
       [](const std::string &path, const std::string &bytes) {
         std::ofstream(path, std::ios::app) << bytes;
       }},
      {"other bytes",
       [](const std::string &path, const std::string &bytes) {
         std::ofstream(path) << std::string(bytes.size(), '7');
       }},
      {"another file",
       [](const std::string &path, const std::string &bytes) {
         std::ofstream(path + ".new") << std::string(bytes.size(), '7');
         fs::rename(path + ".new", path);
       }},
      {"removed",
       [](const std::string &path, const std::string &) { fs::remove(path); }},
  };
  for (const Kind &kind : kinds)
    for (const auto &[what, change] : changes) {
      const std::string file = path(kind.name);
      const std::string bytes = bytesOf(kind), whole = outcomeOf(file);
      // The file is older than a tick of the clock.
      fs::last_write_time(file, fs::file_time_type::clock::now() -
                                    std::chrono::hours(1));
      const Dataset data = openFiles({sourceOf(file)});
      change(file, bytes);
      expectRight(file, outcomeOf(data), whole, what);
      write(kind.name, bytes);
    }
}

//===----------------------------------------------------------------------===//
// Bombs
//===----------------------------------------------------------------------===//

/// Returns the largest memory that this process has used, in MiB.
long peakMemory() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss >> 10;
}

/// Writes an archive of one array of zeros, compressed.
void writeZeros(const std::string &path, int64_t bytes) {
  archive *zip = archive_write_new();
  archive_write_set_format_zip(zip);
  archive_write_zip_set_compression_deflate(zip);
  archive_write_open_filename(zip, path.c_str());
  const std::string header =
      npyHeader(Feature({TG_DTYPE_UINT, 8, 1}, {bytes}, nullptr, nullptr));
  archive_entry *entry = archive_entry_new();
  archive_entry_set_pathname(entry, "zeros.npy");
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_size(entry, bytes + static_cast<int64_t>(header.size()));
  archive_write_header(zip, entry);
  archive_write_data(zip, header.data(), header.size());
  const std::string zeros(1 << 20, '\0');
  for (; bytes > 0; bytes -= 1 << 20)
    archive_write_data(zip, zeros.data(), zeros.size());
  archive_entry_free(entry);
  archive_write_free(zip);
}

TEST_F(HostileFiles, ThatNeedMuchMemory) {
  const uint32_t extent = 140 << 20;
  write("a-ubyte.gz", gzipped(idxHeader({extent}) + std::string(extent, '\0')));
  writeZeros(path("a.npz"), extent);
  // Lines without an end: holes of a file read as zeros.
  for (const char *name : {"a.csv", "a.svm"})
    fs::resize_file(path(name), uint64_t(1) << 34);
  std::string commas(300000, ',');
  write("fields.csv", commas + "\n1\n");
  write("quoted.csv", "\"\"" + commas + "\n1\n");
  write("columns.svm", "1 2000000000:1\n");
  write("deep.safetensors",
        std::string("\xa0\x0f\0\0\0\0\0\0", 8) + std::string(4000, '['));
  const long before = peakMemory();
  const std::pair<const char *, const char *> all[] = {
      {"a-ubyte.gz", "expected at most 134217728 bytes of contents"},
      {"a.npz", "expected at most 134217728 bytes, found 1468"},
      {"a.csv", "expected a row of at most 16777216 bytes"},
      {"a.svm", "expected a row of at most 16777216 bytes"},
      {"fields.csv", "expected at most 262144 fields"},
      {"quoted.csv", "expected at most 262144 fields"},
      {"columns.svm", "expected at most 4194304 columns"},
      {"deep.safetensors", "expected at most 64 levels of JSON"},
  };
  for (const auto &[name, message] : all) {
    const std::string outcome = outcomeOf(path(name));
    EXPECT_THAT(outcome, HasSubstr(message));
    EXPECT_THAT(outcome, HasSubstr(path(name)));
  }
  EXPECT_LT(peakMemory() - before, 512);
}

//===----------------------------------------------------------------------===//
// Writers
//===----------------------------------------------------------------------===//

TEST_F(HostileFiles, OnAFullDisk) {
  rlimit former, small;
  getrlimit(RLIMIT_FSIZE, &former);
  small = former;
  small.rlim_cur = 1 << 20;
  Feature zeros({TG_DTYPE_UINT, 8, 1}, {1 << 21});
  std::fill_n(zeros.data(), zeros.byteCount(), std::byte(0));
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string npz =
      errorOf([&] { writeNpz(path("full.npz"), {{"zeros", zeros}}); });
  const std::string records = errorOf(
      [&] { writeTFRecords(path("full.tfrecord"), {{"zeros", zeros}}); });
  setrlimit(RLIMIT_FSIZE, &former);
  EXPECT_THAT(npz, HasSubstr(path("full.npz")));
  EXPECT_THAT(records, HasSubstr(path("full.tfrecord")));
  for (const auto &entry : fs::directory_iterator(directory))
    EXPECT_THAT(entry.path().string(), testing::Not(HasSubstr("full")));
}

} // namespace
