//===- TapeList.cpp - the gradient tapes of a thread ----------------------===//
#include "compiler/frontend/eager/TapeList.h"

using namespace tg;
using namespace tg::dsl;

std::vector<std::shared_ptr<TapeState>> &dsl::openTapes() {
  static thread_local std::vector<std::shared_ptr<TapeState>> tapes;
  return tapes;
}

static thread_local unsigned pauses = 0;

RecordingPause::RecordingPause() { ++pauses; }
RecordingPause::~RecordingPause() { --pauses; }
bool RecordingPause::isOn() { return pauses != 0; }
