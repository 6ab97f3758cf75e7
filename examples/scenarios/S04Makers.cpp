/// A graph that is fed repeatedly, 2, 4, 6 for 1, 2, 3; tensors created from a
/// shape; a random permutation of the numbers below 20; a shape as a tensor.
#include "Scenario.h"

#include <algorithm>
#include <numeric>

using namespace tg;

int main() {
  Tensor a = placeholder(i32, {}, "a");
  Tensor b = a * 2.0;
  Session session;
  for (int number : {1, 2, 3})
    expect("b", session.run(b, {{a, number}}), {2.0 * number});

  std::vector<Array> arrays = session.run(
      {zeros({2, 3}, i32), ones({2}), fill({3, 3}, 23.9), range(0, 10, 1)});
  expect("zeros", arrays[0], std::vector<double>(6, 0));
  expect("ones", arrays[1], {1, 1});
  expect("fill", arrays[2], std::vector<double>(9, 23.9));
  expect("range", arrays[3], {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});

  // The list and its permutation in one run.
  Tensor list = range(20);
  Tensor shuffled = shuffle(list);
  std::vector<Array> first = session.run({list, shuffled});
  std::vector<int> numbers(20), found = first[1].to<int>();
  std::iota(numbers.begin(), numbers.end(), 0);
  std::cout << "shuffled = " << first[1] << '\n';
  check(first[0].to<int>() == numbers, "the numbers below 20");
  check(found != numbers, "another order");
  check(session.run(shuffled).to<int>() != found, "another order in each run");
  std::sort(found.begin(), found.end());
  check(found == numbers, "a permutation");

  Tensor matrix = placeholder(f32, {dim(), dim()});
  expect("shape", session.run(shapeOf(matrix), {{matrix, {{1, 2}, {3, 4}}}}),
         {2, 2});
  expect("shape", session.run(shapeOf(matrix), {{matrix, {{1, 2, 3}}}}),
         {1, 3});
}
