//===- ToolFiles.h - the files that tgc reads and writes ------------------===//
#ifndef TG_TOOLS_TGC_TOOLFILES_H
#define TG_TOOLS_TGC_TOOLFILES_H

#include "Options.h"

/// Checks the file names in `options` and sets the options that depend on them:
/// the name of the model, the format of the report, whether the output is an
/// object to link or text. An output without a name is the standard output for
/// phases that produce text.
llvm::Error finishFiles(ToolOptions &options);

#endif // TG_TOOLS_TGC_TOOLFILES_H
