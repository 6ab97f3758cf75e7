/// Nested argscopes: in the inner one, with images [n, c, h, w] and kernels of
/// 1, the filters and the activation of the outer one still apply. The layers
/// return [n, 32, h / 2, w / 2], rounded up, and half of that.
#include "SymbolicScenario.h"
using namespace tg;
namespace sym = tg::symbolic;

int main() {
  for (Shape shape : {Shape{2, 5, 9, 12}, Shape{1, 3, 28, 28}}) {
    Program program("nested");
    Tensor image = program.input("image", f32, shape);
    int64_t n = shape[0].value, h = shape[2].value, w = shape[3].value;
    sym::ArgScope outer(sym::Conv2D,
                        {.filters = 32, .kernelSize = 3, .activation = relu});
    sym::LayerOutput conv3;
    Tensor pool3;
    {
      sym::ArgScope format({sym::Conv2D, sym::MaxPooling},
                           {.dataFormat = sym::NCHW});
      sym::ArgScope kernel(sym::Conv2D, {.kernelSize = 1});
      conv3 = sym::Conv2D("conv3", image, {.strides = 2});
      pool3 = sym::MaxPooling("pool3", conv3, 2);
    }
    int64_t halfH = (h + 1) / 2;
    int64_t halfW = (w + 1) / 2;
    std::printf("%s, %s\n", toString(conv3.shape()).c_str(),
                toString(pool3.shape()).c_str());
    check(toString(conv3.shape()) == toString({n, 32, halfH, halfW}),
          "32 channels of half the extents");
    check(toString(pool3.shape()) == toString({n, 32, halfH / 2, halfW / 2}),
          "half of these");
    check(toString(conv3.variables.W.shape()) == toString({1, 1, shape[1], 32}),
          "a kernel of 1");
    check(toString(sym::Conv2D("conv4", transpose(image, {0, 2, 3, 1}))
                       .variables.W.shape()) == toString({3, 3, shape[1], 32}),
          "the kernel of the outer scope again");

    program.function("run", {.inputs = {image}, .outputs = {{"y", conv3}}});
    program.onWarning({});
    Context context = load(program).context({.seed = 1});
    std::vector<float> pixels(n * shape[1].value * h * w);
    for (size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = std::sin(float(i));
    int zeros = 0;
    for (float y : context.run("run", {{"image", pixels}}).values<float>("y")) {
      check(y >= 0, "outputs of a relu");
      zeros += y == 0;
    }
    check(zeros > 0, "some that relu cut off");
  }
}
