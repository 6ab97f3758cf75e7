//===- Npy.cpp - arrays in .npy files -------------------------------------===//
#include "Npy.h"

#include "FixedRecords.h"

#include <algorithm>

using namespace tg;
using namespace tg::data;

/// Reads the header of a file. Throws DataError without the name of the file.
static npy::Front readFront(const std::string &path) {
  FileIdentity identity;
  const Descriptor file = openRegular(path, identity);
  std::vector<char> first(std::min<uint64_t>(identity.size, npy::frontLimit));
  readBytes(file, identity.size, first.data(), first.size(), 0);
  npy::Front front;
  std::string reason;
  if (!npy::parseFront(first, identity.size, front, reason))
    throw DataError(reason);
  if (front.shape.empty())
    throw DataError("expected an array with rows, found a single number");
  return front;
}

Dataset tg::data::openNpy(const std::string &path) {
  const npy::Front front = namingFile(path, [&] { return readFront(path); });
  FixedLayout layout;
  const FeatureType row{stemOf(path, ".npy"),
                        front.dtype,
                        {front.shape.begin() + 1, front.shape.end()}};
  layout.count = static_cast<uint64_t>(front.shape[0]);
  layout.features = {{row, front.dataOffset, byteCount(row)}};
  return openFixed(path, layout);
}

std::string tg::data::npyHeader(const Feature &array) {
  std::string front;
  if (!npy::makeFront(array.dtype(), array.shape(), front))
    throw DataError("expected elements " + npy::listNames() + ", found " +
                    tg_dtype_name(array.dtype()));
  return front;
}
