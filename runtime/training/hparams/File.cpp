//===- File.cpp - Values in a file ----------------------------------------===//
#include "tg/training/hparams.hpp"

#include "runtime/files/AtomicFile.h"
#include "tg/data/feature.hpp"

using namespace tg;
using namespace tg::training;

void HParams::save(const std::string &path) const {
  const std::string text = toJson();
  AtomicFile file(path.c_str());
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  tg_status_t status = file.open(&error);
  if (status == TG_OK)
    status = file.write(text.data(), text.size(), &error);
  if (status == TG_OK)
    status = file.commit(&error);
  if (status != TG_OK)
    throw data::DataError(error.message);
}
