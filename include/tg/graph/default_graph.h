/// The graph of a thread, and functions that build there: programs without a
/// Program that is named.
///
///   Tensor a = placeholder(f32, {dim(), 2}, "a");
///   Tensor b = reduceSum(a * constant(2.0));
#ifndef TG_GRAPH_DEFAULT_GRAPH_H
#define TG_GRAPH_DEFAULT_GRAPH_H

#include "../tensor/array.h"
#include "program.h"

#include <optional>

namespace tg {

/// The program of the innermost Program::asDefault() of this thread, else one
/// of the thread's own, made when first asked for.
Program defaultGraph();
/// Drops the thread's own: what is built then is in a new one. Throws
/// GraphError inside of Program::asDefault().
void resetDefaultGraph(
    std::source_location where = std::source_location::current());

/// A tensor that a run is fed, or a function's input. Each dim() is an extent
/// known at run time; the rank is always known (else any_rank.h). The name as
/// Tensor::named.
Tensor
placeholder(DType dtype, const Shape &shape,
            const std::string &name = "Placeholder",
            std::source_location where = std::source_location::current());

/// Numbers as they are written: of truth values boolean, of whole numbers i32,
/// else f32, or of the type.
Tensor constant(const Literal &value, std::optional<DType> dtype = {},
                std::source_location where = std::source_location::current());
namespace dsl {
Tensor constantOf(const Array &value, std::source_location where);
} // namespace dsl
/// The elements of an array.
template <std::same_as<Array> Elements>
Tensor constant(const Elements &value,
                std::source_location where = std::source_location::current()) {
  return dsl::constantOf(value, where); // braces are literals
}
/// As the functions of Program.
Tensor zeros(const Shape &shape, DType dtype = f32,
             std::source_location where = std::source_location::current());
Tensor ones(const Shape &shape, DType dtype = f32,
            std::source_location where = std::source_location::current());
/// Returns a tensor of one number, of the number's type: i32 or f32.
Tensor fill(const Shape &shape, const Literal &value,
            std::source_location where = std::source_location::current());
/// start, start + step, … before the limit.
Tensor range(double start, double limit, double step = 1, DType dtype = i32,
             std::source_location where = std::source_location::current());
Tensor range(double limit, DType dtype = i32,
             std::source_location where = std::source_location::current());
Tensor linspace(double start, double stop, int64_t count, DType dtype = f32,
                std::source_location where = std::source_location::current());
Tensor eye(const Extent &rows, DType dtype = f32,
           std::source_location where = std::source_location::current());
/// Program::randomUniform says what draws follow from.
Tensor
randomUniform(const Shape &shape,
              UniformOptions options = {.low = 0, .high = 1}, DType dtype = f32,
              std::source_location where = std::source_location::current());
Tensor
randomNormal(const Shape &shape, NormalOptions options = {}, DType dtype = f32,
             std::source_location where = std::source_location::current());

struct NewVariableOptions {
  std::string name = "Variable";
  /// None: that of the first value.
  std::optional<DType> dtype = {};
  VariableOptions variable = {};
};
/// State that starts with these numbers: below the open name scopes, with _1,
/// _2 … behind the name where something has it. Of floats it is trainable.
Variable variable(const Literal &initial, NewVariableOptions options = {},
                  std::source_location where = std::source_location::current());
template <std::convertible_to<std::string> Name>
Variable
variable(const Literal &initial, const Name &name,
         std::source_location where = std::source_location::current()) {
  return variable(initial, NewVariableOptions{.name = name}, where);
}
/// The same of a shape, from an initializer; f32.
Variable variable(const Shape &shape, const Initializer &initial,
                  NewVariableOptions options = {},
                  std::source_location where = std::source_location::current());

/// The variables of the default graph, all or those that optimizers move.
std::vector<Variable> globalVariables();
std::vector<Variable> trainableVariables();
/// Gives all variables that there are now their first values.
Updates globalVariablesInitializer(
    std::source_location where = std::source_location::current());

/// As the functions of Program.
void addToCollection(
    const std::string &collection, const Tensor &tensor,
    std::source_location where = std::source_location::current());
std::vector<Tensor> collection(const std::string &name);

} // namespace tg

#endif // TG_GRAPH_DEFAULT_GRAPH_H
