//===- ControlValues.h - the values of branches and loops -----------------===//
#ifndef TG_COMPILER_FRONTEND_OPS_CONTROLVALUES_H
#define TG_COMPILER_FRONTEND_OPS_CONTROLVALUES_H

#include "compiler/frontend/graph/Build.h"
#include "tg/tensor/control.h"

namespace tg::dsl {

/// Returns the program of the values, or the default graph if there are only
/// numbers.
BodyPtr bodyOfValues(const LoopValues &values, const std::vector<Tensor> &more,
                     Place where);

/// Returns the value as a tensor. A number becomes a scalar of the type.
Tensor tensorOf(const BodyPtr &body, const LoopValue &value, DType dtype,
                Place where);

/// Returns the results of a region as tensors. Numbers get the type of the
/// corresponding value in `beside`, if there is one.
std::vector<Tensor> tensorsOf(const BodyPtr &body, const LoopValues &values,
                              const std::vector<DType> &beside, Place where);

/// Returns the element types of values; numbers have their own.
std::vector<DType> typesOf(const LoopValues &values);

/// Returns the types of tensors.
std::vector<TensorType> typesOf(const std::vector<Tensor> &tensors);

/// Returns the element types of tensors.
std::vector<DType> dtypesOf(const std::vector<Tensor> &tensors);

/// Throws GraphError if a function is empty.
void expectFunction(const BodyPtr &body, const RegionFunction &function,
                    const char *what, Place where);

/// Throws GraphError unless a function has `count` parameters.
void expectParameters(const BodyPtr &body, const RegionFunction &function,
                      const char *what, size_t count, const char *counted,
                      Place where);

/// Throws GraphError unless an iteration of an eager loop preserves the types
/// of the carried values. If mayVary is true, only element types and ranks must
/// stay the same.
void expectSameTypes(const BodyPtr &body, const std::vector<Tensor> &next,
                     const std::vector<Tensor> &before, size_t count,
                     Place where, bool mayVary = false);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_OPS_CONTROLVALUES_H
