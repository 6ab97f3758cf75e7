/// Compiles the networks that the examples digits and char_lm have trained, to
/// small libraries for inference:
///
///   sample-models <directory of the examples' files> <digits.csv> <directory>
///
/// writes digits.so, ten digits in digits.npy, and char_lm.so. Fails if the
/// network classifies too few of the digits that were not used in training.
#include "examples/char_lm/Network.h"
#include "examples/digits/Network.h"
#include "tools/common/Npy.h"

#include <tg/runtime.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <span>

using namespace tg;

namespace {
/// The first digits of the file were used in training.
constexpr size_t trainingRows = 1297;
constexpr double leastAccuracy = 0.93;
} // namespace

/// Returns a number rounded to the 8 bits of mantissa of bf16, ties to even.
static float roundWeight(float weight) {
  const uint32_t bits = std::bit_cast<uint32_t>(weight);
  const uint32_t rounded = bits + 0x7FFF + (bits >> 16 & 1);
  return std::bit_cast<float>(rounded & 0xFFFF0000);
}

/// Rounds the variables that `trained`.safetensors has for `trained`.so, and
/// saves them to a file. Packages can then compress them to half of their size.
static void saveRounded(const std::string &trained, const std::string &path) {
  Model model = Model::load(trained + ".so");
  Context context = model.context();
  context.load(trained + ".safetensors");
  const tg_model_t &tables = model.tables();
  for (uint32_t i = 0; i < tables.variable_count; ++i) {
    const tg_variable_t &variable = *tables.variables[i];
    if (variable.dtype.code != TG_DTYPE_FLOAT)
      continue;
    std::vector<float> weights = context.get<float>(variable.name);
    std::ranges::transform(weights, weights.begin(), roundWeight);
    context.set(variable.name, weights);
  }
  context.save(path);
}

/// Compiles one function of a program with the rounded weights of an example.
static void compile(const Program &program, const std::string &trained,
                    const std::string &function, std::vector<int> levels,
                    const std::string &path) {
  const std::string weights = trained + "-rounded.safetensors";
  saveRounded(trained, weights);
  program.compile(path, {.levels = std::move(levels),
                         .functions = {function},
                         .weights = weights});
}

/// Throws unless the library classifies most of the digits.
static void checkAccuracy(const std::string &library,
                          const digits::Digits &digits) {
  Context context = Model::load(library).context();
  std::span<const float> probabilities =
      context.run("test", {{"image", digits.images}})
          .values<float>("probabilities");
  size_t right = 0;
  for (size_t row = 0; row < digits.size(); ++row) {
    const float *first = probabilities.data() + row * 10;
    right += std::max_element(first, first + 10) - first == digits.labels[row];
  }
  std::printf("%s: %zu of %zu digits right\n", library.c_str(), right,
              digits.size());
  if (double(right) < leastAccuracy * double(digits.size()))
    throw std::runtime_error(library + ": expected " +
                             std::to_string(leastAccuracy) +
                             " of the digits right, found fewer");
}

/// Writes the first image of each digit from 0 to 9.
static void writeTenDigits(const digits::Digits &digits,
                           const std::string &path) {
  std::vector<float> images;
  for (int digit = 0; digit < 10; ++digit) {
    const size_t row =
        std::ranges::find(digits.labels, digit) - digits.labels.begin();
    if (row == digits.size())
      throw std::runtime_error("expected images of the digits 0 to 9, found "
                               "none of " +
                               std::to_string(digit));
    images.insert(images.end(), digits.image(row), digits.image(row + 1));
  }
  const int64_t shape[] = {10, int64_t(digits::pixels)};
  const std::span<const char> bytes(
      reinterpret_cast<const char *>(images.data()),
      images.size() * sizeof(float));
  std::string error;
  if (!writeNpy(path, {TG_DTYPE_FLOAT, 32, 1}, shape, bytes, error))
    throw std::runtime_error(error);
}

static void makeModels(const std::string &trained, const std::string &data,
                       const std::string &directory) {
  digits::Digits all = digits::readDigits(data);
  if (all.size() <= trainingRows)
    throw std::runtime_error(data + ": expected more than " +
                             std::to_string(trainingRows) + " digits, found " +
                             std::to_string(all.size()));
  digits::Digits unseen = all.slice(trainingRows, all.size());
  Program classifier("digits");
  digits::defineNetwork(classifier);
  const std::string library = directory + "/digits.so";
  compile(classifier, trained + "/digits", "test", {2, 3}, library);
  checkAccuracy(library, unseen);
  writeTenDigits(unseen, directory + "/digits.npy");

  // Every machine has this level, so all of them write the same text.
  Program writer("char_lm");
  char_lm::defineNetwork(writer, char_lm::small);
  compile(writer, trained + "/char_lm", "sample", {2},
          directory + "/char_lm.so");
}

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: sample-models <directory of trained examples> "
                         "<digits.csv> <directory>\n");
    return 1;
  }
  try {
    makeModels(argv[1], argv[2], argv[3]);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "sample-models: %s\n", error.what());
    return 1;
  }
}
