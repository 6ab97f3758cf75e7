/// The tools of a program that trains, beside the model: batches, data sets,
/// when to stop, the progress. Standard C++20 alone; nothing is linked.
#ifndef TG_TRAINING_HPP
#define TG_TRAINING_HPP

#include "training/batches.hpp"
#include "training/blocks.hpp"
#include "training/categories.hpp"
#include "training/cifar.hpp"
#include "training/early_stopper.hpp"
#include "training/idx.hpp"
#include "training/npy.hpp"
#include "training/progress_bar.hpp"
#include "training/reduce_lr_on_plateau.hpp"
#include "training/split.hpp"
#include "training/time_stamp.hpp"

#endif // TG_TRAINING_HPP
