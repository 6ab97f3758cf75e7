/// Helpers for programs that train: batches, data sets, early stopping,
/// progress. Functions that read files need the library tg::Data; the others
/// link nothing.
#ifndef TG_TRAINING_HPP
#define TG_TRAINING_HPP

#include "training/batches.hpp"
#include "training/blocks.hpp"
#include "training/categories.hpp"
#include "training/early_stopper.hpp"
#include "training/extents.hpp"
#include "training/images.hpp"
#include "training/npy.hpp"
#include "training/progress_bar.hpp"
#include "training/reduce_lr_on_plateau.hpp"
#include "training/split.hpp"
#include "training/time_stamp.hpp"

#endif // TG_TRAINING_HPP
