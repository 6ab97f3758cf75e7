/// Images in IDX files as PNG in TFRecord files, and as files of their own.
#ifndef TG_EXAMPLES_MNIST_CONVNET_RECORDS_H
#define TG_EXAMPLES_MNIST_CONVNET_RECORDS_H

#include <tg/data/arrays.hpp>
#include <tg/data/example.hpp>
#include <tg/data/images.hpp>
#include <tg/data/pipeline.hpp>
#include <tg/training/events.hpp>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

namespace mnist_convnet {

namespace data = tg::data;

/// The number of files that the images of one part are divided into.
constexpr uint64_t shards = 4;

/// A part of the data: the begin of its names in IDX files and of its records.
struct Part {
  const char *idx, *records;
};
constexpr Part parts[] = {{"train", "train"}, {"t10k", "test"}};

/// Opens an IDX file, plain or compressed.
inline data::Dataset openIdx(const std::string &path) {
  return data::openIdx(std::filesystem::exists(path) ? path : path + ".gz");
}

/// Returns the record of an image and its label.
inline std::string recordOf(const data::Feature &image, int64_t label) {
  const std::vector<std::byte> png =
      data::encodePng(image.reshaped({image.shape()[0], image.shape()[1], 1}));
  data::Feature number({TG_DTYPE_INT, 64, 1}, {1});
  number.values<int64_t>()[0] = label;
  return data::writeExample(
      {{"image",
        data::ExampleKind::bytes,
        1,
        {},
        {{reinterpret_cast<const char *>(png.data()), png.size()}}},
       {"label", data::ExampleKind::int64s, 1, number, {}}});
}

/// Calls a function with each number below `count`, on several threads. Throws
/// the first exception.
template <typename Function>
void forEach(uint64_t count, unsigned workers, Function function) {
  std::atomic<uint64_t> next = 0;
  std::exception_ptr error;
  std::mutex mutex;
  const auto work = [&] {
    try {
      for (uint64_t i; (i = next++) < count;)
        function(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      error = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < workers; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  if (error)
    std::rethrow_exception(error);
}

/// Writes the images of a part as TFRecord files. Returns their number.
inline uint64_t convertPart(const Part &part, const std::string &from,
                            const std::string &to, unsigned workers) {
  const std::string prefix = from + "/" + part.idx;
  const data::Dataset images = openIdx(prefix + "-images-idx3-ubyte");
  const data::Dataset labels = openIdx(prefix + "-labels-idx1-ubyte");
  const uint64_t count = *images.size();
  if (count != *labels.size())
    throw data::DataError(prefix + ": expected a label for each of " +
                          std::to_string(count) + " images, found " +
                          std::to_string(*labels.size()));
  forEach(shards, workers, [&](uint64_t shard) {
    char name[64];
    std::snprintf(name, sizeof(name), "/%s-%05d-of-%05d.tfrecord", part.records,
                  int(shard), int(shards));
    data::TFRecordWriter writer(to + name);
    for (uint64_t i = count * shard / shards; i < count * (shard + 1) / shards;
         ++i)
      writer.write(
          recordOf(images.read(0, i).features[0],
                   labels.read(0, i).features[0].values<uint8_t>()[0]));
    writer.close();
  });
  return count;
}

/// Converts the IDX files of a directory.
inline void convert(const std::string &from, const std::string &to,
                    unsigned workers) {
  std::filesystem::create_directories(to);
  for (const Part &part : parts)
    std::printf(
        "%s: %llu images\n", part.records,
        static_cast<unsigned long long>(convertPart(part, from, to, workers)));
}

/// Returns a description of the records of a part, to which keys can be added.
/// Without features, an image is the bytes of its file.
inline nlohmann::json describe(const std::string &directory,
                               const std::string &part) {
  return {{"files", {directory + "/" + part + "-*.tfrecord"}}};
}

/// Writes the first images of each part as PNG files, and to an event file.
inline void visualize(const std::string &from, const std::string &to,
                      uint64_t count) {
  std::filesystem::create_directories(to);
  tg::training::EventWriter events(to);
  for (const Part &part : parts) {
    const data::Dataset records =
        data::openSource(describe(from, part.records).dump());
    for (uint64_t i = 0; i < std::min(count, *records.size()); ++i) {
      const data::Example record = records.read(0, i);
      const std::span<const std::byte> png = record.features[0].bytes();
      const std::string name =
          std::string(part.records) + "-" + std::to_string(i) + "-label-" +
          std::to_string(record.features[1].values<int64_t>()[0]);
      std::ofstream file(to + "/" + name + ".png", std::ios::binary);
      file.write(reinterpret_cast<const char *>(png.data()),
                 static_cast<std::streamsize>(png.size()));
      if (!file.flush())
        throw data::DataError(to + "/" + name + ".png: cannot write");
      events.addImage(name, data::decodePng(png), 0);
    }
  }
  events.close();
}

} // namespace mnist_convnet

#endif // TG_EXAMPLES_MNIST_CONVNET_RECORDS_H
