/// Conversion of categories to numbers.
#ifndef TG_TRAINING_CATEGORIES_HPP
#define TG_TRAINING_CATEGORIES_HPP

#include "../cxx20.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tg {

/// The names of categories in the order of their numbers, and the number of
/// each element of a list.
template <typename T> struct Categories {
  std::vector<T> names;
  std::vector<int32_t> numbers;
};

/// Returns the number of each element, that is, its index in `names`, which
/// must be sorted. Use it for validation and test data, with the names of the
/// training data. Throws std::invalid_argument for an element that is not in
/// `names`.
template <typename T>
std::vector<int32_t> catToNum(const std::vector<T> &elements,
                              const std::vector<T> &names) {
  std::vector<int32_t> numbers;
  numbers.reserve(elements.size());
  for (const T &element : elements) {
    const auto found = std::lower_bound(names.begin(), names.end(), element);
    if (found == names.end() || element < *found) {
      std::ostringstream message;
      message << "expected one of " << names.size() << " categories, found '"
              << element << "'";
      throw std::invalid_argument(message.str());
    }
    numbers.push_back(static_cast<int32_t>(found - names.begin()));
  }
  return numbers;
}

/// Numbers the distinct elements of a list from 0 in ascending order, and
/// returns the number of each element. makeOneHot() converts the numbers to
/// one-hot rows:
///
///   std::vector<std::string> seen = {"cat", "ant", "cat"};
///   Categories animals = catToNum(seen); // names: ant, cat; numbers: 1, 0, 1
///   makeOneHot(animals.numbers, animals.names.size());
template <typename T> Categories<T> catToNum(const std::vector<T> &elements) {
  std::vector<T> names = elements;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return {names, catToNum(elements, names)};
}

/// Returns a one-hot row of names.size() numbers for each element. Throws as
/// catToNum() does.
template <typename T>
std::vector<float> catToOneHot(const std::vector<T> &elements,
                               const std::vector<T> &names) {
  std::vector<float> rows(elements.size() * names.size());
  size_t row = 0;
  for (int32_t number : catToNum(elements, names))
    rows[row++ * names.size() + static_cast<size_t>(number)] = 1;
  return rows;
}

} // namespace tg

#endif // TG_TRAINING_CATEGORIES_HPP
