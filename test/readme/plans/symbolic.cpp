// The frame of the fragment in the page on symbolic layers: images, labels and
// a network.
#include <tg/symbolic/Symbolic.h>
#include <tg/tg.h>

using namespace tg;
namespace sym = tg::symbolic;

int main() {
  Program program("images");
  Tensor image = program.input("image", f32, {dim("batch"), 8, 8, 1});
  Tensor label = program.input("label", i32, {dim("batch")});
  auto build = [](Tensor x) {
    return sym::FullyConnected("fc", sym::Conv2D("conv0", x), 10);
  };
// the block
  program.compile("images.so");
}
