/// Images with their labels in an event file, as a summary of a session: 3 PNG
/// images of the shape of the batch's. The labels are the classes that a model
/// predicts.
#include "EventFile.h"
#include "Scenario.h"
#include <tg/training/events.hpp>
using namespace tg;

static constexpr int64_t kImages = 5, kHeight = 28, kWidth = 32;

/// Image i is grey but for one bright quadrant, i mod 4.
static std::vector<float> makeImages() {
  std::vector<float> pixels;
  for (int64_t i = 0; i < kImages; ++i)
    for (int64_t y = 0; y < kHeight; ++y)
      for (int64_t x = 0; x < kWidth; ++x) {
        bool isBright = (y < kHeight / 2) == (i % 4 < 2) &&
                        (x < kWidth / 2) == (i % 2 == 0);
        pixels.insert(pixels.end(), 3, isBright ? 1.0f : 0.25f);
      }
  return pixels;
}

int main() {
  Program program("labels");
  Tensor images = program.input("images", f32, {dim("n"), kHeight, kWidth, 3});
  // The brightest of the four quadrants.
  Tensor quadrants = reduceMean(
      reshape(images, {-1, 2, kHeight / 2, 2, kWidth / 2, 3}), {{2, 4, 5}});
  Tensor labels = argMax(reshape(quadrants, {-1, 4}), 1);
  SummaryOp summary = summaryLabeledImage("predictions", images, labels);

  Session session(program);
  Directory logs("labeled-images");
  training::EventWriter events(logs.path);
  auto [found, shown] = session.run(
      std::tuple(labels, summary),
      {{images, FeedValue(makeImages(), {kImages, kHeight, kWidth, 3})}});
  events.add(shown, 1);
  events.close();
  expect("labels", found, {0, 1, 2, 3, 0});

  std::vector<ShownValue> values = readEvents(events.path());
  check(values.size() == 3, "3 images");
  for (size_t i = 0; i < values.size(); ++i) {
    const data::Feature &image = values[i].image;
    std::cout << values[i].tag << '\n';
    check(values[i].tag == "predictions/image/" + std::to_string(i) &&
              values[i].step == 1,
          "image " + std::to_string(i));
    check(image.shape() == std::vector<int64_t>{kHeight, kWidth, 3},
          "a PNG image of the shape of the batch's");
    std::span<const uint8_t> pixels = image.values<uint8_t>();
    size_t text = 0;
    for (size_t p = 0; p < pixels.size(); p += 3) {
      bool isPink = pixels[p] == 255 && pixels[p + 1] == 192;
      text += isPink;
      check(isPink || pixels[p] == 255 || pixels[p] == 63,
            "the pixels of the image");
    }
    check(text > 10, "a label");
  }
}
