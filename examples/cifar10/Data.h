/// The data of the networks: files of CIFAR-10, or generated examples.
#ifndef TG_EXAMPLES_CIFAR10_DATA_H
#define TG_EXAMPLES_CIFAR10_DATA_H

#include <tg/training.hpp>

#include <cmath>
#include <numbers>
#include <random>

namespace cifar10 {

/// Examples of one element type with their labels.
template <typename T> struct Examples {
  std::vector<T> values;
  std::vector<int32_t> labels;
  size_t rowSize = 1;

  tg::Rows<T> rows() const { return {values, rowSize}; }
};

/// Returns images of noisy stripes whose direction and colour depend on the
/// class.
inline Examples<float> makeImages(size_t count, size_t side, size_t channels,
                                  unsigned seed) {
  constexpr unsigned classes = 10;
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  Examples<float> examples{{}, {}, side * side * channels};
  for (size_t example = 0; example < count; ++example) {
    const unsigned label = generator() % classes;
    examples.labels.push_back(static_cast<int32_t>(label));
    const double angle = std::numbers::pi * (label % 5) / 5;
    const double phase = uniform(generator) * 6;
    for (size_t y = 0; y < side; ++y)
      for (size_t x = 0; x < side; ++x)
        for (size_t channel = 0; channel < channels; ++channel) {
          const double wave = std::sin(phase + std::cos(angle) * double(x) +
                                       std::sin(angle) * double(y));
          const bool isBright = (label < 5) == (channel % 2 == 0);
          examples.values.push_back(
              static_cast<float>(0.3 + 0.2 * wave + (isBright ? 0.3 : 0) +
                                 0.1 * uniform(generator)));
        }
  }
  return examples;
}

/// Returns texts of random characters, in which some characters are more
/// frequent, depending on the class.
inline Examples<int32_t> makeTexts(size_t count, unsigned seed) {
  constexpr size_t words = 50, characters = 20;
  constexpr unsigned classes = 10, perClass = 90;
  std::mt19937 generator(seed);
  Examples<int32_t> examples{{}, {}, words * characters};
  for (size_t example = 0; example < count; ++example) {
    const unsigned label = generator() % classes;
    examples.labels.push_back(static_cast<int32_t>(label));
    for (size_t word = 0; word < words; ++word) {
      const size_t length = 1 + generator() % characters;
      for (size_t position = 0; position < characters; ++position) {
        const bool isOfClass = generator() % 2 == 0;
        const unsigned first = isOfClass ? label * perClass : 0;
        const unsigned range = isOfClass ? perClass : classes * perClass;
        const auto letter =
            static_cast<int32_t>(1 + first + generator() % range);
        examples.values.push_back(position < length ? letter : 0);
      }
    }
  }
  return examples;
}

/// Converts the images that readMnist() or readCifar10() returned.
inline Examples<float> takeImages(tg::LabelledImages read) {
  const size_t rowSize = read.imageSize();
  return {std::move(read.pixels), std::move(read.labels), rowSize};
}

} // namespace cifar10

#endif // TG_EXAMPLES_CIFAR10_DATA_H
