/// Categories as numbers.
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

/// Categories by their numbers, and the number of each element of a list.
template <typename T> struct Categories {
  std::vector<T> names;
  std::vector<int32_t> numbers;
};

/// The numbers that elements have among names in ascending order: those of data
/// that is not trained on, by the names of data that is. Throws
/// std::invalid_argument for an element that has none.
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

/// Numbers from 0 for the elements of a list, in the ascending order of the
/// names; makeOneHot() makes rows of them:
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

} // namespace tg

#endif // TG_TRAINING_CATEGORIES_HPP
