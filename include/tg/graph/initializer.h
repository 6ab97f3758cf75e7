/// The initial values of variables, set by `init`.
#ifndef TG_GRAPH_INITIALIZER_H
#define TG_GRAPH_INITIALIZER_H

#include "../tensor/error.h"
#include "../tensor/tensor.h"

#include <functional>
#include <optional>

namespace tg {

/// Makes the initial value of a variable: ops in the init function that
/// generate samples from its seed.
class Initializer {
public:
  /// Builds a value of the type in the program of `seed`, an i64 scalar.
  using Build = std::function<Tensor(const TensorType &type, Tensor seed)>;

  Initializer(Build build,
              std::source_location where = std::source_location::current())
      : builder(dsl::required(std::move(build), "a function that gives values",
                              where)) {}
  /// Fills the variable with a number.
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
/// These numbers, in row-major order. Their count must be the number of
/// elements of the variable.
Initializer values(std::vector<double> elements);
Initializer normal(NormalOptions options = {});
/// The normal distribution truncated to two standard deviations on each side.
Initializer truncatedNormal(NormalOptions options = {});
/// The uniform distribution in [low, high).
Initializer uniform(UniformOptions options = {});

/// Reads the values from a file when the variable is made. The array of a .npy
/// file is converted to the variable's type. In a safetensors file the tensor
/// of this name is read, or the only one; it must have the variable's type.
/// Throws GraphError if the file cannot be read or its array has another shape.
Initializer
diskInitializer(std::string path, std::string tensor = "",
                std::source_location where = std::source_location::current());

/// The number of inputs that an element of a result depends on (in), and the
/// number of elements of the result that an input affects (out).
struct Fans {
  double in = 1, out = 1;
};
/// Returns the fans of a weight [..., in, out]: each of the last two extents,
/// times all other extents. Both fans of a list are its extent.
Fans fansOf(const Shape &shape);

/// Random initializers whose variance follows from the fans of the variable's
/// shape. `fans` overrides them if the extents are in another order. Uniform
/// samples are in [-limit, limit). Normal samples have a standard deviation and
/// are not truncated.
///
/// Glorot: the limit is √(6 / (in + out)), the standard deviation √(2 / (in +
/// out)). Glorot and Bengio, "Understanding the difficulty of training deep
/// feedforward neural networks", 2010. PyTorch: xavier_uniform_,
/// xavier_normal_.
Initializer glorotUniform(std::optional<Fans> fans = {});
Initializer glorotNormal(std::optional<Fans> fans = {});
/// He: the limit is √(6 / in), the standard deviation √(2 / in), for layers
/// before a ReLU. He et al., "Delving Deep into Rectifiers", 2015. PyTorch:
/// kaiming_uniform_, kaiming_normal_ with the gain of ReLU.
Initializer heUniform(std::optional<Fans> fans = {});
Initializer heNormal(std::optional<Fans> fans = {});
/// LeCun: the limit is √(3 / in), the standard deviation √(1 / in), for layers
/// before a SELU. LeCun et al., "Efficient BackProp", 1998.
Initializer lecunUniform(std::optional<Fans> fans = {});
Initializer lecunNormal(std::optional<Fans> fans = {});

struct OrthogonalOptions {
  /// The factor of the result.
  double gain = 1;
};
/// An orthonormal matrix [r, c] times the gain: its rows are orthonormal if r
/// <= c, otherwise its columns. A shape [..., c] is a matrix with r = ... rows.
/// All orthonormal matrices are equally likely. The variable must have rank 2
/// or more. Takes r · c · min(r, c) arithmetic steps. Saxe et al., "Exact
/// solutions to the nonlinear dynamics of learning in deep linear neural
/// networks", 2014.
Initializer orthogonal(OrthogonalOptions options = {});

} // namespace tg

#endif // TG_GRAPH_INITIALIZER_H
