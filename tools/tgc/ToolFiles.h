//===- ToolFiles.h - the files that tgc reads and writes ------------------===//
#ifndef TG_TOOLS_TGC_TOOLFILES_H
#define TG_TOOLS_TGC_TOOLFILES_H

#include "Options.h"

/// Checks the names of the files of a command line, which stand in `options`,
/// and sets what follows from them: the name of the model, the format of the
/// report, whether the output is to be linked or to be read. An output without
/// a name is the standard output, where people read it.
llvm::Error finishFiles(ToolOptions &options);

#endif // TG_TOOLS_TGC_TOOLFILES_H
