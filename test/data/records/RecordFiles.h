/// Files for tests of records.
#ifndef TG_TEST_DATA_RECORDS_RECORDFILES_H
#define TG_TEST_DATA_RECORDS_RECORDFILES_H

#include "tg/data/records.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <unistd.h>

namespace tg::data {

/// A test with files in a directory that its end removes.
class RecordFilesTest : public testing::Test {
protected:
  RecordFilesTest() {
    directory = std::filesystem::temp_directory_path() /
                ("tg-records-" + std::to_string(getpid()));
    std::filesystem::remove_all(directory);
    std::filesystem::create_directories(directory);
  }
  ~RecordFilesTest() override { std::filesystem::remove_all(directory); }

  std::string path(const std::string &name) const { return directory / name; }

  std::string write(const std::string &name, const std::string &bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  /// Writes records with the writer.
  std::string writeRecords(const std::string &name,
                           const std::vector<std::string> &records,
                           Compression compression = Compression::none) const {
    TFRecordWriter writer(path(name), compression);
    for (const std::string &record : records)
      writer.write(record);
    writer.close();
    return path(name);
  }
  std::string bytesOf(const std::string &path) const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static std::string text(const Feature &feature) {
    return {reinterpret_cast<const char *>(feature.data()), feature.size()};
  }
  static std::vector<std::string> readAll(const Source &source) {
    std::vector<std::string> records;
    for (uint64_t i = 0; i < source.size(); ++i)
      records.push_back(text(source.read(i)[0]));
    return records;
  }
  static std::vector<std::string> readAll(const Stream &stream) {
    std::vector<std::string> records;
    std::vector<Feature> features;
    for (auto reader = stream.open(0); reader->next(features);)
      records.push_back(text(features[0]));
    return records;
  }

  /// Returns the message of a DataError, without the directory, or nothing.
  template <typename Action> std::string errorOf(Action action) const {
    try {
      action();
    } catch (const DataError &error) {
      std::string message = error.what();
      for (size_t at;
           (at = message.find(directory.string() + "/")) != std::string::npos;)
        message.erase(at, directory.string().size() + 1);
      return message;
    }
    return "";
  }

  /// Expects that all readers refuse a file in the same words.
  std::string refusal(const std::string &file) const {
    const std::string verified = errorOf([&] { verifyTFRecords(file); });
    const std::string random = errorOf(
        [&] { readAll(TFRecordSource({file}, {.keepsIndex = false})); });
    const std::string streamed =
        errorOf([&] { readAll(TFRecordStream({file})); });
    EXPECT_NE(random, "");
    EXPECT_NE(verified, "");
    EXPECT_EQ(streamed, verified);
    return random;
  }

  std::filesystem::path directory;
};

} // namespace tg::data

#endif // TG_TEST_DATA_RECORDS_RECORDFILES_H
