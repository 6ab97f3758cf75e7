//===- DiskInitializer.cpp - initial values from a file -------------------===//
#include "compiler/frontend/body/SavedTensors.h"
#include "compiler/frontend/graph/Build.h"
#include "tg/dtypes.h"
#include "tg/graph/initializer.h"
#include "tg/training/npy.hpp"

using namespace tg;
using namespace tg::dsl;

/// Reads a .npy file and converts its elements to the type of a program.
template <typename T>
static SavedTensor readArrayAs(const std::string &path, DType dtype) {
  NpyTable<T> table = readNpy<T>(path);
  SavedTensor saved{{dtype, Shape(table.dims.begin(), table.dims.end())}, {}};
  saved.bytes.resize(table.elements.size() * sizeof(T));
  if (!saved.bytes.empty())
    std::memcpy(saved.bytes.data(), table.elements.data(), saved.bytes.size());
  return saved;
}

static SavedTensor readArray(const std::string &path, DType dtype) {
  switch (dtype) {
#define TG_READ(name, front, code, bits, host, ...)                            \
  case DType::front:                                                           \
    return readArrayAs<host>(path, dtype);
    TG_DTYPES(TG_READ)
#undef TG_READ
  }
  return {};
}

/// Reads a tensor of a safetensors file. An empty name selects the only tensor.
static SavedTensor readTensor(const std::string &path, const std::string &name,
                              Place where) {
  SavedTensors file = take(readTensors(path), where);
  if (name.empty() && file.tensors.size() == 1)
    return file.tensors.begin()->second;
  auto found = file.tensors.find(name);
  if (found != file.tensors.end())
    return found->second;
  throw GraphError("expected a tensor of '" + path + "', which has " +
                       std::to_string(file.tensors.size()) + ", found '" +
                       name + "'",
                   where);
}

/// Returns a type as written in messages: f32 [2, 3].
static std::string describe(const TensorType &type) {
  return toString(type.dtype) + " " + toString(type.shape);
}

Initializer tg::diskInitializer(std::string path, std::string tensor,
                                std::source_location where) {
  return Initializer([=](const TensorType &type, Tensor seed) {
    SavedTensor saved;
    if (path.ends_with(".npy")) {
      try {
        saved = readArray(path, type.dtype);
      } catch (const std::runtime_error &error) {
        throw GraphError(error.what(), where);
      }
    } else {
      saved = readTensor(path, tensor, where);
    }
    if (describe(saved.type) != describe(type))
      throw GraphError("expected " + describe(type) + " in '" + path +
                           "', found " + describe(saved.type),
                       where);
    const BodyPtr &body = seed.body();
    return Tensor(body, take(body->fromBytes(type, saved.bytes, where)));
  });
}
