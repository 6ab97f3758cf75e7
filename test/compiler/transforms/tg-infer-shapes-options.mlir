// RUN: not tgc-opt %s --tg-infer-shapes="dims=batch" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not tgc-opt %s --tg-infer-shapes="dims=batch=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tgc-opt %s --tg-infer-shapes="dims=batch=2,batch=3" 2>&1 | FileCheck %s --check-prefix=TWICE

// NUMBER: error: option 'dim': expected a named extent as in batch=32, found 'batch'
// NEGATIVE: error: option 'dim': expected a named extent as in batch=32, found 'batch=-1'
// TWICE: error: option 'dim': expected one number for extent 'batch', found several
module {
}
