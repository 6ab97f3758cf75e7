/// The default graph of a thread, and functions that build in it, for code
/// without a named Program.
///
///   Tensor a = placeholder(f32, {dim(), 2}, "a");
///   Tensor b = reduceSum(a * constant(2.0));
#ifndef TG_GRAPH_DEFAULT_GRAPH_H
#define TG_GRAPH_DEFAULT_GRAPH_H

#include "../tensor/array.h"
#include "program.h"

#include <optional>

namespace tg {

/// Returns the program of the innermost Program::asDefault() of this thread,
/// otherwise the thread's own program, which is created on first use.
Program defaultGraph();
/// Drops the thread's own program, so that a new one is created on next use.
/// Throws GraphError within a Program::asDefault().
void resetDefaultGraph(
    std::source_location where = std::source_location::current());

/// Makes a tensor that a run is fed, or that is an input of a function. Each
/// dim() is a dynamic extent. The rank is always static; any_rank.h supports
/// dynamic ranks. The name follows the rules of Tensor::named.
Tensor
placeholder(DType dtype, const Shape &shape,
            const std::string &name = "Placeholder",
            std::source_location where = std::source_location::current());

/// Makes a constant of the given type. Without a type, booleans become boolean,
/// whole numbers i32 and all others f32.
Tensor constant(const Literal &value, std::optional<DType> dtype = {},
                std::source_location where = std::source_location::current());
namespace dsl {
Tensor constantOf(const Array &value, std::source_location where);
} // namespace dsl
/// Makes a constant of the elements of an array.
template <std::same_as<Array> Elements>
Tensor constant(const Elements &value,
                std::source_location where = std::source_location::current()) {
  return dsl::constantOf(value, where); // braces are literals
}
/// The same as the functions of Program.
Tensor zeros(const Shape &shape, DType dtype = f32,
             std::source_location where = std::source_location::current());
Tensor ones(const Shape &shape, DType dtype = f32,
            std::source_location where = std::source_location::current());
/// Makes a tensor filled with one number, of the number's type: i32 or f32.
Tensor fill(const Shape &shape, const Literal &value,
            std::source_location where = std::source_location::current());
/// Returns start, start + step, … up to but excluding the limit.
Tensor range(double start, double limit, double step = 1, DType dtype = i32,
             std::source_location where = std::source_location::current());
Tensor range(double limit, DType dtype = i32,
             std::source_location where = std::source_location::current());
Tensor linspace(double start, double stop, int64_t count, DType dtype = f32,
                std::source_location where = std::source_location::current());
Tensor eye(const Extent &rows, DType dtype = f32,
           std::source_location where = std::source_location::current());
/// Random samples. Program::randomUniform documents what they depend on.
Tensor
randomUniform(const Shape &shape,
              UniformOptions options = {.low = 0, .high = 1}, DType dtype = f32,
              std::source_location where = std::source_location::current());
Tensor
randomNormal(const Shape &shape, NormalOptions options = {}, DType dtype = f32,
             std::source_location where = std::source_location::current());

struct NewVariableOptions {
  std::string name = "Variable";
  /// The element type. None: the type of the initial value.
  std::optional<DType> dtype = {};
  VariableOptions variable = {};
};
/// Makes a variable with these initial values. Its name is below the open name
/// scopes; if it is taken, _1, _2 … is appended. A variable of a float type is
/// trainable.
Variable variable(const Literal &initial, NewVariableOptions options = {},
                  std::source_location where = std::source_location::current());
template <std::convertible_to<std::string> Name>
Variable
variable(const Literal &initial, const Name &name,
         std::source_location where = std::source_location::current()) {
  return variable(initial, NewVariableOptions{.name = name}, where);
}
/// Makes an f32 variable of a shape, with values from an initializer.
Variable variable(const Shape &shape, const Initializer &initial,
                  NewVariableOptions options = {},
                  std::source_location where = std::source_location::current());

/// Return the variables of the default graph: all of them, or the trainable
/// ones.
std::vector<Variable> globalVariables();
std::vector<Variable> trainableVariables();
/// Returns updates that initialize all variables that exist now.
Updates globalVariablesInitializer(
    std::source_location where = std::source_location::current());

/// The same as the functions of Program.
void addToCollection(
    const std::string &collection, const Tensor &tensor,
    std::source_location where = std::source_location::current());
std::vector<Tensor> collection(const std::string &name);

} // namespace tg

#endif // TG_GRAPH_DEFAULT_GRAPH_H
