//===- Batches.cpp - batches of a training --------------------------------===//
#include "Batches.h"

#include <chrono>

using namespace tg;
using namespace tg::training;

Batches::Batches(const data::Dataset &data, const data::LoaderOptions &options,
                 const data::Position &from)
    : loader(data, options, from), start(from) {}

const data::Example *Batches::read() {
  const auto begin = std::chrono::steady_clock::now();
  const data::Example *next = loader.next();
  seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  return next;
}

const data::Example &Batches::current() {
  if (error)
    std::rethrow_exception(std::exchange(error, nullptr));
  if (!batch)
    batch = read();
  if (!batch)
    throw data::DataError("expected a data set with at least one batch in an "
                          "epoch, found none");
  return *batch;
}

bool Batches::advance() {
  start = loader.position();
  try {
    batch = read();
  } catch (...) {
    batch = nullptr;
    error = std::current_exception();
    return false;
  }
  if (!batch)
    start = loader.position();
  return !batch;
}
