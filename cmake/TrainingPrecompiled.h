// The headers that most files of tg::Training include, in addition to
// DataPrecompiled.h.
#include "tg/training/callback.hpp"
