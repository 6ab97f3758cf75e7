//===- ConcatenationRows.cpp - programs of many concatenations ------------===//
//
// Concatenates the results of products, convolutions, reductions and other
// concatenations, one value twice, inputs and constants, and values that other
// ops read, views use and functions return. Unlike single rows, these programs
// test the placement of all these values in memory.
//
//===----------------------------------------------------------------------===//
#include "test/numeric/OpRows.h"

using namespace tg;
using namespace tg::test;

namespace {

constexpr unsigned kPrograms = 12, kOps = 16, kOutputs = 4;
/// The channels of the results of products and convolutions, and the maximum
/// number of channels of a value.
constexpr int kChannels = 16, kMaxChannels = 160;

/// Generates one program. All values are 3x3 images with channels.
class Program {
public:
  explicit Program(unsigned number) : state(number + 1) {}

  OpRow make(const std::string &name);

private:
  struct Image {
    std::string name;
    int channels;
  };

  unsigned draw(unsigned below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  }
  /// Returns a random value; the last few are more likely.
  Image image() {
    unsigned recent = std::min<size_t>(values.size(), draw(2) ? 3 : 64);
    return values[values.size() - 1 - draw(recent)];
  }
  static std::string type(int channels, const std::string &before = "?x3x3x") {
    return "tensor<" + before + std::to_string(channels) + "xFLOAT>";
  }
  std::string emit(const std::string &text);
  /// Returns an input of the given type, shared by all ops with this type.
  std::string weights(const std::string &extents);
  /// Adds a value with bounded elements.
  void addBounded(const std::string &name, int channels);
  void addProduct();
  void addConvolution();
  void addElementwise();
  void addReduction();
  void addSlice();
  void addView();
  void addConcatenation();
  void add();

  uint64_t state;
  OpRow row;
  std::vector<Image> values;
  unsigned count = 0;
};

} // namespace

std::string Program::emit(const std::string &text) {
  std::string name = "%v" + std::to_string(count++);
  row.body += name + " = tg." + text + "\n";
  return name;
}

std::string Program::weights(const std::string &extents) {
  std::string name = "w" + extents;
  std::replace(name.begin(), name.end(), 'x', '_');
  for (const RowTensor &input : row.inputs)
    if (input.name == name)
      return "%" + name;
  row.inputs.push_back({name, extents + "xFLOAT", -0.2, 0.2});
  return "%" + name;
}

void Program::addBounded(const std::string &name, int channels) {
  values.push_back({emit("tanh " + name + " : " + type(channels)), channels});
}

void Program::addProduct() {
  Image x = image();
  std::string extents =
      std::to_string(x.channels) + "x" + std::to_string(kChannels);
  addBounded(emit("matmul " + x.name + ", " + weights(extents) + " : (" +
                  type(x.channels) + ", tensor<" + extents + "xFLOAT>) -> " +
                  type(kChannels)),
             kChannels);
}

/// Adds a full or a depthwise convolution.
void Program::addConvolution() {
  Image x = image();
  bool isDepthwise = draw(2);
  int channels = isDepthwise ? x.channels : 2 * kChannels;
  std::string extents = "3x3x" + std::to_string(isDepthwise ? 1 : x.channels) +
                        "x" + std::to_string(channels);
  std::string groups =
      isDepthwise ? "groups = " + std::to_string(channels) + ", " : "";
  addBounded(emit("conv " + x.name + ", " + weights(extents) + " {" + groups +
                  "padding = \"explicit\", pads = [1, 1, 1, 1]} : (" +
                  type(x.channels) + ", tensor<" + extents + "xFLOAT>) -> " +
                  type(channels)),
             channels);
}

void Program::addElementwise() {
  Image x = image();
  static const char *const ops[] = {"relu", "neg", "tanh", "abs"};
  values.push_back({emit(std::string(ops[draw(4)]) + " " + x.name + " : " +
                         type(x.channels)),
                    x.channels});
}

/// Adds the difference from a sum over rows, columns or images.
void Program::addReduction() {
  static const std::pair<const char *, const char *> ways[] = {
      {"0, 1, 2", "1x1x1x"},
      {"3", "?x3x3x"},
      {"1, 2", "?x1x1x"},
      {"0", "1x3x3x"}};
  Image x = image();
  auto [axes, before] = ways[draw(4)];
  bool isOfRows = llvm::StringRef(axes) == "3";
  std::string reduced = type(isOfRows ? 1 : x.channels, before);
  std::string sum =
      emit("reduce_sum " + x.name + " {axes = [" + axes + "], keep_dims} : (" +
           type(x.channels) + ") -> " + reduced);
  std::string bounded = emit("tanh " + sum + " : " + reduced);
  values.push_back(
      {emit("sub " + x.name + ", " + bounded + " : (" + type(x.channels) +
            ", " + reduced + ") -> " + type(x.channels)),
       x.channels});
}

void Program::addSlice() {
  Image x = image();
  if (x.channels == kChannels)
    return addElementwise();
  std::string start = std::to_string(kChannels * draw(x.channels / kChannels));
  values.push_back(
      {emit("slice " + x.name + " {sizes = [-1, 3, 3, " +
            std::to_string(kChannels) + "], starts = [0, 0, 0, " + start +
            "]} : (" + type(x.channels) + ") -> " + type(kChannels)),
       kChannels});
}

void Program::addView() {
  Image x = image();
  std::string channels = std::to_string(x.channels);
  std::string flat = type(x.channels, "?x9x");
  std::string view =
      emit("reshape " + x.name + " {shape = [-1, 9, " + channels + "]} : (" +
           type(x.channels) + ") -> " + flat);
  std::string folded = emit("relu " + view + " : " + flat);
  values.push_back(
      {emit("reshape " + folded + " {shape = [-1, 3, 3, " + channels +
            "]} : (" + flat + ") -> " + type(x.channels)),
       x.channels});
}

void Program::addConcatenation() {
  std::string names, types;
  int channels = 0;
  for (unsigned part = 0, parts = 2 + draw(3); part < parts; ++part) {
    Image x = image();
    if (channels + x.channels > kMaxChannels)
      continue;
    names += (names.empty() ? "" : ", ") + x.name;
    types += (types.empty() ? "" : ", ") + type(x.channels);
    channels += x.channels;
  }
  values.push_back({emit("concat " + names + " {axis = 3} : (" + types +
                         ") -> " + type(channels)),
                    channels});
}

void Program::add() {
  switch (draw(11)) {
  case 0:
  case 1:
    return addProduct();
  case 2:
    return addConvolution();
  case 3:
    return addElementwise();
  case 4:
    return addReduction();
  case 5:
    return addSlice();
  case 6:
    return addView();
  default:
    return addConcatenation();
  }
}

OpRow Program::make(const std::string &name) {
  row.name = name;
  row.inputs.push_back({"x", "3?x3x3x16xFLOAT"});
  values.push_back({"%x", kChannels});
  addProduct();
  for (unsigned op = 0; op < kOps; ++op)
    add();
  // Return the last values, each once: concatenations and their inputs.
  for (unsigned last = 0; last < kOutputs; ++last) {
    Image value = values[values.size() - 1 - last];
    row.outputs.push_back(
        {value.name.substr(1),
         "3?x3x3x" + std::to_string(value.channels) + "xFLOAT"});
  }
  row.gradient = false;
  // The tolerance covers chains of sums of up to 1440 products.
  row.tolerance = 1e-4;
  return row;
}

void tg::test::addConcatenationRows(std::vector<OpRow> &rows) {
  for (unsigned number = 0; number < kPrograms; ++number)
    rows.push_back(
        Program(number).make("concatenations_" + std::to_string(number)));
}
