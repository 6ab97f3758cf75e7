/// Arrays in files: NumPy's NPY and NPZ, safetensors, IDX, and the binary files
/// of CIFAR.
#ifndef TG_DATA_ARRAYS_HPP
#define TG_DATA_ARRAYS_HPP

#include "dataset.hpp"

namespace tg::data {

/// An array with its name.
struct NamedFeature {
  std::string name;
  Feature array;
};

/// The rows of an array in a .npy file, read from the file one by one. The
/// feature has the name of the file without its ending. Throws DataError, as do
/// all functions below.
Dataset openNpy(const std::string &path);
/// The rows of the arrays of a .npz file, which are in memory.
Dataset openNpz(const std::string &path);
/// The rows of the tensors of a safetensors file, read from the file one by
/// one. All tensors have equally many rows. Features are in the order of the
/// header, and a checksum in the metadata is not compared.
Dataset openSafetensors(const std::string &path);
/// The rows of an IDX file, such as those of MNIST; a compressed one (.gz) is
/// in memory. The feature has the name of the file without its ending.
Dataset openIdx(const std::string &path);
/// The records of a binary file of CIFAR: "label", ui8 [], and "image", ui8 [3,
/// 32, 32], as they are stored. Files of CIFAR-100 have "coarse_label" and
/// "label"; they are known by the size of their records.
Dataset openCifar(const std::string &path);

/// Reads the array of a .npy or IDX file. That of a .npy file may be a single
/// number.
Feature readNpy(const std::string &path);
Feature readIdx(const std::string &path);
/// Reads the examples of epoch 0 as arrays [examples, ...], in the order of
/// their features. Batches are divided into their examples. Throws DataError if
/// examples differ in shape.
std::vector<NamedFeature> readArrays(const Dataset &data);

/// Reads the arrays of a .npz file, in its order.
std::vector<NamedFeature> readNpz(const std::string &path);
/// Writes a .npz file without compression. Equal arrays give equal bytes. The
/// file is complete, or the former one remains.
void writeNpz(const std::string &path, const std::vector<NamedFeature> &arrays);

} // namespace tg::data

#endif // TG_DATA_ARRAYS_HPP
