//===- Trainer.cpp - trains models ----------------------------------------===//
#include "tg/training/trainer.hpp"

#include "Loop.h"

using namespace tg;
using namespace tg::training;

Trainer::Trainer(Model model, data::Dataset data, TrainerOptions options)
    : loop(std::make_unique<Loop>(std::move(model), std::move(data),
                                  std::move(options))) {}

Trainer::~Trainer() = default;

void Trainer::setValidation(data::Dataset data, MetricSpecs metrics) {
  loop->setValidation(std::move(data), std::move(metrics));
}

void Trainer::add(std::shared_ptr<Callback> callback) {
  loop->add(std::move(callback));
}

TrainingResult Trainer::run() { return loop->run(); }

void Trainer::requestStop() noexcept { loop->requestStop(); }
