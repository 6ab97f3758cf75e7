/// What variables hold after `init`.
#ifndef TG_INITIALIZER_H
#define TG_INITIALIZER_H

#include "error.h"
#include "tensor.h"

#include <functional>

namespace tg {

/// Makes the first value of a variable: ops in the init function, which draw
/// from its seed.
class Initializer {
public:
  /// Builds the value of the type in the program of `seed`, a scalar i64.
  using Build = std::function<Tensor(const TensorType &type, Tensor seed)>;

  Initializer(Build build,
              std::source_location where = std::source_location::current())
      : builder(dsl::required(std::move(build), "a function that gives values",
                              where)) {}
  /// The same number everywhere.
  Initializer(double value);

  Tensor build(const TensorType &type, Tensor seed) const {
    return builder(type, std::move(seed));
  }

private:
  Build builder;
};

struct NormalOptions {
  double mean = 0, stddev = 1;
};
struct UniformOptions {
  double low = -1, high = 1;
};

Initializer zeros();
Initializer ones();
/// These numbers, in row-major order; their count must be the variable's size.
Initializer values(std::vector<double> elements);
Initializer normal(NormalOptions options = {});
/// The normal cut to two standard deviations on each side.
Initializer truncatedNormal(NormalOptions options = {});
/// In [low, high).
Initializer uniform(UniformOptions options = {});

/// What a file has: of a .npy file its array, whose numbers become the
/// variable's type; of a safetensors file the tensor of this name, or the only
/// one, of the same type. Read where the variable is made. Throws GraphError
/// where the file cannot be read or has another shape.
Initializer
diskInitializer(std::string path, std::string tensor = "",
                std::source_location where = std::source_location::current());

/// By fan-in and fan-out: the last two extents, times the others.
Initializer glorotUniform();
Initializer glorotNormal();
Initializer heNormal();

} // namespace tg

#endif // TG_INITIALIZER_H
