//===- CheckText.h - the diagnostics of a text in an editor ---------------===//
#ifndef TG_TOOLS_TG_LSP_SERVER_CHECKTEXT_H
#define TG_TOOLS_TG_LSP_SERVER_CHECKTEXT_H

#include "llvm/Support/LSP/Protocol.h"

#include <vector>

namespace tg {

/// The findings about a text.
struct TextCheck {
  /// False if the pre-scan refuses the text, which then must not reach a
  /// parser of MLIR.
  bool isSafe = false;
  /// The diagnostics that `tgc` would print, up to its phase `grad`, with the
  /// places that an editor marks.
  std::vector<llvm::lsp::Diagnostic> diagnostics;
};

/// Checks the text of a model as `tgc` does. `uri` is the document of the text,
/// which notes refer to. Runs on a large stack of its own.
llvm::Expected<TextCheck> checkText(llvm::StringRef text,
                                    const llvm::lsp::URIForFile &uri);

} // namespace tg

#endif // TG_TOOLS_TG_LSP_SERVER_CHECKTEXT_H
