/// Reads untrusted safetensors files: the result is an error or the tensors,
/// never a crash.
#include "compiler/transforms/module/SafetensorsFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace tg;

namespace {

/// A header for two tensors of six bytes in total.
const std::string kHeader =
    R"({"__metadata__":{"format":"pt"},)"
    R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
    R"("b":{"dtype":"U8","shape":[2],"data_offsets":[4,6]}})";
const std::string kData = "abcdef";

/// Returns a file: the length of the header, the header and the data.
std::string fileOf(const std::string &header, const std::string &data) {
  char length[8];
  llvm::support::endian::write64le(length, header.size());
  return std::string(length, 8) + header + data;
}

class SafetensorsFileTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tg", "safetensors", path));
  }
  void TearDown() override { llvm::sys::fs::remove(path); }

  /// Writes `bytes` to a file and opens it. Returns the error, empty for none.
  /// The opened file stays in the fixture.
  std::string open(const std::string &bytes) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << bytes;
    EXPECT_FALSE(error);
    llvm::Expected<SafetensorsFile> opened = SafetensorsFile::open(path);
    if (!opened)
      return messageOf(opened.takeError());
    file.emplace(std::move(*opened));
    return "";
  }

  /// Returns an error message without the file path, which must be its prefix.
  std::string messageOf(llvm::Error error) {
    std::string message = llvm::toString(std::move(error));
    std::string front = "'" + path.str().str() + "' ";
    EXPECT_EQ(message.find(front), 0u) << message;
    return message.substr(front.size());
  }

  llvm::SmallString<128> path;
  std::optional<SafetensorsFile> file;
};

TEST_F(SafetensorsFileTest, finds_and_reads_tensors_by_name) {
  ASSERT_EQ(open(fileOf(kHeader, kData)), "");
  const StoredTensor *b = file->find("b");
  ASSERT_TRUE(b);
  EXPECT_EQ(b->dtype, "U8");
  EXPECT_EQ(b->shape, (llvm::SmallVector<uint64_t, 4>{2}));
  char bytes[2];
  ASSERT_FALSE(file->read(*b, bytes));
  EXPECT_EQ(std::string(bytes, 2), "ef");
  EXPECT_FALSE(file->find("c"));
  EXPECT_FALSE(file->checkHash());
}

TEST_F(SafetensorsFileTest, refuses_every_file_that_is_cut_short) {
  std::string whole = fileOf(kHeader, kData);
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(open(whole.substr(0, size)), "") << size;
}

TEST_F(SafetensorsFileTest, survives_every_changed_byte_of_a_header) {
  for (size_t at = 0; at < kHeader.size() + 8; ++at)
    for (char c : {'\0', '"', '{', '[', ']', ',', '9', '\\', '\xff'}) {
      std::string bytes = fileOf(kHeader, kData);
      bytes[at] = c;
      if (open(bytes) != "")
        continue;
      for (const char *name : {"a", "b"})
        if (const StoredTensor *tensor = file->find(name)) {
          std::vector<char> values(tensor->end - tensor->begin);
          EXPECT_FALSE(file->read(*tensor, values));
        }
    }
}

TEST_F(SafetensorsFileTest, says_what_is_wrong) {
  EXPECT_EQ(open("short"), "has 5 bytes, too few for safetensors");
  EXPECT_EQ(open(std::string(8, '\x7f')), "is no safetensors file, or is "
                                          "cut short: a header of "
                                          "9187201950435737471 bytes, "
                                          "expected at most 0");
  EXPECT_EQ(open(fileOf("{", "")), "has a header that is not JSON");
  EXPECT_EQ(open(fileOf("[]", "")),
            "has a header that does not begin with '{', or holds a zero byte");
  EXPECT_EQ(open(fileOf(R"({"__metadata__":1})", "")),
            "has a header that is not of safetensors");
  for (const char *entry :
       {"1", R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})",
        R"({"dtype":1,"shape":[1],"data_offsets":[0,4]})"})
    EXPECT_EQ(open(fileOf(std::string(R"({"a":)") + entry + "}", "abcd")),
              "has a header that is not of safetensors");
  for (const char *entry :
       {"{}", R"({"dtype":"F32","shape":[1],"data_offsets":[0]})"})
    EXPECT_EQ(open(fileOf(std::string(R"({"a":)") + entry + "}", "abcd")),
              "has tensor 'a' without exactly a dtype, a shape and two "
              "data_offsets");
  auto place = [&](const char *offsets, const char *data) {
    return open(fileOf(std::string(R"({"a":{"dtype":"U8","shape":[1],)") +
                           R"("data_offsets":)" + offsets + "}}",
                       data));
  };
  EXPECT_EQ(place("[0,9]", "x"), "has tensor 'a' at bytes 0 to 9 of 1");
  EXPECT_EQ(place("[1,0]", "x"), "has tensor 'a' at bytes 1 to 0 of 1");
  EXPECT_EQ(place("[1,2]", "xy"),
            "has a tensor at byte 1, expected one at byte 0");
  EXPECT_EQ(place("[0,1]", "xy"), "has 2 bytes of data, expected 1");
}

TEST_F(SafetensorsFileTest, refuses_headers_that_nest_or_list_without_end) {
  std::string deep(1 << 20, '[');
  EXPECT_EQ(open(fileOf(deep, "")),
            "has a header that does not begin with '{', or holds a zero byte");
  EXPECT_EQ(open(fileOf("{\"a\":" + deep, "")),
            "has a header that is not of safetensors");
  std::string many = "{\"a\":[0";
  for (int i = 0; i < 3 << 20; ++i)
    many += ",0";
  EXPECT_EQ(open(fileOf(many + "]}", "")),
            "has a header that is not of safetensors");
}

TEST_F(SafetensorsFileTest, compares_the_hash_of_checkpoints) {
  const std::string right =
      "bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721";
  for (bool isRight : {true, false}) {
    std::string header = kHeader;
    header.replace(header.find(R"("format":"pt")"), 13,
                   R"("tg.data_sha256":")" + right + '"');
    ASSERT_EQ(open(fileOf(header, isRight ? "abcdef" : "abcdeg")), "");
    llvm::Error error = file->checkHash();
    if (isRight)
      EXPECT_FALSE(error);
    else
      EXPECT_EQ(messageOf(std::move(error)),
                "is damaged: the hash of its data is wrong");
  }
}

TEST_F(SafetensorsFileTest, refuses_what_is_no_file) {
  llvm::Expected<SafetensorsFile> none = SafetensorsFile::open("/");
  ASSERT_FALSE(none);
  EXPECT_EQ(llvm::toString(none.takeError()), "'/' is no regular file");
  none = SafetensorsFile::open("/nowhere/x.safetensors");
  ASSERT_FALSE(none);
  EXPECT_EQ(llvm::toString(none.takeError()),
            "'/nowhere/x.safetensors' cannot be read: No such file or "
            "directory");
}

} // namespace
