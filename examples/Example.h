/// Random data and checks that the examples share.
#ifndef TG_EXAMPLES_EXAMPLE_H
#define TG_EXAMPLES_EXAMPLE_H

#include <tg/runtime.hpp>
#include <tg/tg.h>
#include <tg/training.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace example {

/// Throws unless the condition holds.
inline void check(bool holds, const std::string &what) {
  if (!holds)
    throw std::runtime_error("expected " + what);
}

/// A matrix in row-major order.
struct Matrix {
  size_t rows, columns;
  std::vector<float> elements;

  /// Returns a view of the rows, the argument of iterators over batches.
  tg::Rows<float> view() const { return {elements, columns}; }
};

/// Returns a matrix of uniform random numbers in [0, 1).
inline Matrix randomMatrix(size_t rows, size_t columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  Matrix matrix{rows, columns, std::vector<float>(rows * columns)};
  for (float &element : matrix.elements)
    element = uniform(generator);
  return matrix;
}

/// Checks that each row of `columns` numbers has this sum.
inline void checkRowSums(std::span<const float> rows, size_t columns,
                         double expected) {
  for (size_t first = 0; first < rows.size(); first += columns) {
    double sum = 0;
    for (float element : rows.subspan(first, columns))
      sum += element;
    check(std::abs(sum - expected) < 1e-5 * expected,
          "a row sum of " + std::to_string(expected) + ", found " +
              std::to_string(sum));
  }
}

/// Returns `directory` unless it is null, otherwise a directory for temporary
/// files, whose name is printed. `program` is the name of the executable.
inline std::string directoryFor(const std::string &program,
                                const char *directory) {
  if (directory)
    return directory;
  std::filesystem::path temporary =
      std::filesystem::temp_directory_path() /
      ("tg-" + std::filesystem::path(program).filename().string());
  std::filesystem::create_directories(temporary);
  std::printf("files go to %s\n", temporary.c_str());
  return temporary.string();
}

/// Runs an example with its first argument as the directory for its files.
/// Prints exceptions. Returns the exit status of the program.
inline int run(int argc, char **argv, void (*body)(const std::string &)) {
  try {
    body(directoryFor(argv[0], argc > 1 ? argv[1] : nullptr));
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

} // namespace example

#endif // TG_EXAMPLES_EXAMPLE_H
