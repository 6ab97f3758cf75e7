//===- Npy.cpp - arrays in .npy files -------------------------------------===//
#include "Npy.h"

#include "FixedRecords.h"

#include <algorithm>

using namespace tg;
using namespace tg::data;

/// Reads the header of an open file. Throws DataError without the name of the
/// file.
static npy::Front readFront(const Descriptor &file, uint64_t size) {
  std::vector<char> first(std::min<uint64_t>(size, npy::frontLimit));
  readBytes(file, size, first.data(), first.size(), 0);
  npy::Front front;
  std::string reason;
  if (!npy::parseFront(first, size, front, reason))
    throw DataError(reason);
  return front;
}

/// Reads the header of a file of rows. Throws DataError without the name of the
/// file.
static npy::Front readRowsFront(const std::string &path) {
  FileIdentity identity;
  const Descriptor file = openRegular(path, identity);
  npy::Front front = readFront(file, identity.size);
  if (front.shape.empty())
    throw DataError("expected an array with rows, found a single number");
  return front;
}

Feature tg::data::readNpy(const std::string &path) {
  return namingFile(path, [&] {
    FileIdentity identity;
    const Descriptor file = openRegular(path, identity);
    const npy::Front front = readFront(file, identity.size);
    Feature array(front.dtype, front.shape);
    readBytes(file, identity.size, array.data(), array.byteCount(),
              front.dataOffset);
    return array;
  });
}

Dataset tg::data::openNpy(const std::string &path) {
  const npy::Front front =
      namingFile(path, [&] { return readRowsFront(path); });
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
