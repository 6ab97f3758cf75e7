/// Initializers: the values of variables after `init`.
#ifndef TG_GRAPH_INITIALIZER_H
#define TG_GRAPH_INITIALIZER_H

#include "../tensor/error.h"
#include "../tensor/tensor.h"

#include <functional>
#include <optional>

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

/// Reads the values from a file: the array of a .npy file, whose numbers become
/// the variable's type, or the tensor of this name, or the only one, of a
/// safetensors file, which has the same type. The file is read where the
/// variable is made. Throws GraphError if the file cannot be read or has
/// another shape.
Initializer
diskInitializer(std::string path, std::string tensor = "",
                std::source_location where = std::source_location::current());

/// The number of inputs of an element of a result (in), and the number of
/// elements of the result that one input is part of (out).
struct Fans {
  double in = 1, out = 1;
};
/// Returns the fans of a weight [..., in, out]: the last two extents, times the
/// others; of a list both are its extent.
Fans fansOf(const Shape &shape);

/// Draws whose variance follows from the fans of the variable's shape, or from
/// the given ones where its extents stand in another order. Uniform draws are
/// in [-limit, limit), normal ones have a standard deviation and no cut.
///
/// √(6 / (in + out)) and √(2 / (in + out)). Glorot and Bengio, "Understanding
/// the difficulty of training deep feedforward neural networks", 2010. PyTorch:
/// xavier_uniform_, xavier_normal_.
Initializer glorotUniform(std::optional<Fans> fans = {});
Initializer glorotNormal(std::optional<Fans> fans = {});
/// √(6 / in) and √(2 / in), for layers before a ReLU. He et al., "Delving Deep
/// into Rectifiers", 2015. PyTorch: kaiming_uniform_, kaiming_normal_ with the
/// gain of ReLU.
Initializer heUniform(std::optional<Fans> fans = {});
Initializer heNormal(std::optional<Fans> fans = {});
/// √(3 / in) and √(1 / in), for layers before a SELU. LeCun et al., "Efficient
/// BackProp", 1998.
Initializer lecunUniform(std::optional<Fans> fans = {});
Initializer lecunNormal(std::optional<Fans> fans = {});

struct OrthogonalOptions {
  /// The factor of the result.
  double gain = 1;
};
/// A matrix [r, c] of orthonormal rows where r <= c, else of orthonormal
/// columns, times the gain; a shape [..., c] is that of r = ... rows. Drawn so
/// that every such matrix is as likely. For variables of rank 2 and more. Takes
/// r · c · min(r, c) steps of arithmetic. Saxe et al., "Exact solutions to the
/// nonlinear dynamics of learning in deep linear neural networks", 2014.
Initializer orthogonal(OrthogonalOptions options = {});

} // namespace tg

#endif // TG_GRAPH_INITIALIZER_H
