// Compares losses and measures of images with loops over their elements.
#include "../Rows.h"

using namespace tg;
using namespace tg::test;

namespace {
/// Two volumes of 1 x 2 x 3 positions and two channels: probabilities and
/// masks.
const std::vector<int64_t> shape = {2, 1, 2, 3, 2};
constexpr size_t images = 2, places = 6, channels = 2;
const Elements likely = {{0.9, 0.1, 0.7, 0.4,  0.2, 0.8, 0.6, 0.3,
                          0.1, 0.9, 0.5, 0.05, 0.3, 0.6, 0.8, 0.2,
                          0.4, 0.7, 0.1, 0.15, 0.9, 0.3, 0.2, 0.45},
                         shape};
const Elements mask = {
    {1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1},
    shape};
const Elements nothing = {Numbers(24, 0), shape};
const Elements everything = {Numbers(24, 1), shape};

/// Sums over the elements of a channel of an image, or of all channels.
struct Sums {
  double common = 0, predicted = 0, wanted = 0;

  void add(double p, double t) {
    common += p * t;
    predicted += p;
    wanted += t;
  }
  double loss(double smooth = 0) const {
    return 1 - (2 * common + smooth) / (predicted + wanted + smooth);
  }
};

size_t place(size_t image, size_t at, size_t channel) {
  return (image * places + at) * channels + channel;
}

/// Sums the predictions above a threshold, or as they are if it is negative.
Sums sumsOfImage(size_t image, double threshold = -1) {
  Sums sums;
  for (size_t at = 0; at < places * channels; ++at) {
    double p = likely.values[place(image, 0, 0) + at];
    sums.add(threshold < 0 ? p : p > threshold,
             mask.values[place(image, 0, 0) + at]);
  }
  return sums;
}

using Loss = Tensor (*)(Operand, Operand);

Numbers of(Loss loss, const Elements &prediction, const Elements &target) {
  return evaluate({prediction, target},
                  [=](std::vector<Tensor> x) { return loss(x[0], x[1]); });
}

Numbers overlap(const Elements &prediction, const Elements &target,
                double threshold) {
  return evaluate({prediction, target}, [=](std::vector<Tensor> x) {
    return intersectionOverUnion(x[0], x[1], threshold);
  });
}

Numbers inverse(const Elements &prediction, const Elements &target,
                double smooth = 1) {
  return evaluate({prediction, target}, [=](std::vector<Tensor> x) {
    return inverseDiceLoss(x[0], x[1], smooth);
  });
}

TEST(ImageLoss, precisionRecallAndF1) {
  Numbers precision, recall;
  double f1 = 0;
  for (size_t image = 0; image < images; ++image) {
    Sums sums = sumsOfImage(image);
    precision.push_back(sums.common / sums.predicted);
    recall.push_back(sums.common / sums.wanted);
    f1 += 2 / (1 / precision.back() + 1 / recall.back()) / images;
  }
  expectNear(of(imagePrecision, likely, mask), precision);
  expectNear(of(imageRecall, likely, mask), recall);
  expectNear(of(imageF1, likely, mask), {f1});
  // Booleans and integers are accepted as well, and so are flat images.
  Elements is = {{1, 0, 1, 1, 0, 0}, {2, 3}, boolean},
           wanted = {{1, 1, 1, 0, 0, 1}, {2, 3}, i32};
  expectNear(of(imagePrecision, is, wanted), {1, 0});
  expectNear(of(imageRecall, is, wanted), {2. / 3, 0});
  expectNear(of(imageF1, is, wanted), {0.4});
}

TEST(ImageLoss, intersectionOverUnion) {
  auto meanOf = [](double threshold) {
    double mean = 0;
    for (size_t image = 0; image < images; ++image) {
      Sums sums = sumsOfImage(image, threshold);
      mean += sums.common / (sums.predicted + sums.wanted - sums.common) / 2;
    }
    return mean;
  };
  expectNear(of(smoothIntersectionOverUnion, likely, mask), {meanOf(-1)});
  for (double threshold : {0.25, 0.5, 0.75})
    expectNear(overlap(likely, mask, threshold), {meanOf(threshold)});
  expectNear(overlap(mask, mask, 0.5), {1});
}

TEST(ImageLoss, withNothingToFindOrNothingFound) {
  for (const Elements &found : {nothing, everything}) {
    double isAll = found.values[0];
    expectNear(of(imagePrecision, found, nothing), {0, 0});
    expectNear(of(imageRecall, found, nothing), {0, 0});
    expectNear(of(imageF1, found, nothing), {0});
    expectNear(of(imageF1, found, everything), {isAll});
    expectNear(of(smoothIntersectionOverUnion, found, nothing), {0});
    expectNear(overlap(found, nothing, 0.5), {0});
    expectNear(of(meanDiceLoss, found, nothing), {1});
    expectNear(of(meanDiceLoss, found, everything), {1 - isAll});
    // The complement of an empty mask is all ones.
    expectNear(inverse(found, nothing), {isAll * (1 - 1. / 25)});
    expectNear(of(generalizedDiceLoss, found, found), {0});
  }
  expectNear(of(generalizedDiceLoss, everything, nothing), {1});
}

TEST(ImageLoss, generalizedDiceWeighsSmallTargets) {
  double mean = 0;
  for (size_t image = 0; image < images; ++image) {
    double above = 0, below = 0;
    for (bool isComplement : {false, true})
      for (size_t channel = 0; channel < channels; ++channel) {
        Sums sums;
        for (size_t at = 0; at < places; ++at) {
          double p = likely.values[place(image, at, channel)];
          double t = mask.values[place(image, at, channel)];
          sums.add(isComplement ? 1 - p : p, isComplement ? 1 - t : t);
        }
        double weight = std::pow(sums.wanted + 0.1, -2);
        above += weight * sums.common;
        below += weight * (sums.wanted + sums.predicted);
      }
    mean += (1 - 2 * above / below) / images;
  }
  expectNear(of(generalizedDiceLoss, likely, mask), {mean});
}

TEST(ImageLoss, meanAndInverseDice) {
  double mean = 0;
  Sums complement;
  for (size_t channel = 0; channel < channels; ++channel) {
    Sums sums;
    for (size_t image = 0; image < images; ++image)
      for (size_t at = 0; at < places; ++at) {
        double p = likely.values[place(image, at, channel)];
        double t = mask.values[place(image, at, channel)];
        sums.add(p, t);
        complement.add(1 - p, 1 - t);
      }
    mean += sums.loss() / channels;
  }
  expectNear(of(meanDiceLoss, likely, mask), {mean});
  for (double smooth : {1.0, 0.25})
    expectNear(inverse(likely, mask, smooth), {complement.loss(smooth)});
}
} // namespace
