//===- CustomOps.cpp - operations of the user -----------------------------===//
#include "compiler/frontend/ops/RegisteredFunctions.h"
#include "tg/tensor/custom_op.h"

using namespace tg;
using namespace tg::dsl;

/// Registers the version for CPUs with the program, unless that has a function
/// of the name.
static void registerCpu(const BodyPtr &body, const CustomOp &op) {
  HostFunctions &host = HostFunctions::of(body);
  if (!op.cpu || !host.functions.try_emplace(op.name, op.cpu).second)
    return;
  ++host.changes;
  body->hostRunner = runnerOf(host.functions);
}

std::vector<Tensor> CustomOp::call(const std::vector<Operand> &inputs,
                                   const std::vector<TensorType> &results,
                                   const std::vector<Operand> &sizes,
                                   std::source_location where) const {
  BodyPtr body = bodyOf(inputs, where);
  Scope scope(body, "", where);
  registerCpu(body, *this);
  return callHost(body,
                  {name,
                   inputs,
                   results,
                   {.pure = true, .sizes = sizes},
                   CudaKernelSpec{cuda, ptx, entry, block, grid,
                                  elementsPerBlock, sharedBytes},
                   gradient},
                  where);
}

Tensor CustomOp::operator()(const std::vector<Operand> &inputs,
                            std::source_location where) const {
  BodyPtr body = bodyOf(inputs, where);
  const Tensor &first = inputs.front().tensor();
  std::vector<Operand> sizes;
  for (int64_t axis = 0; axis < first.rank(); ++axis)
    if (!first.shape()[size_t(axis)].isKnown())
      sizes.push_back(extentOf({first, where}, axis));
  return call(inputs, {{first.dtype(), first.shape()}}, sizes, where).front();
}
