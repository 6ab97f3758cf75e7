// RUN: tgc-opt %s --split-input-file --verify-each --pass-pipeline='builtin.module(func.func(tg-join-concatenations),tg-set-target{optimization=1},tg-fuse-kernels,tg-place-parts)' | FileCheck %s
// RUN: tgc-opt %s --split-input-file --verify-each --pass-pipeline='builtin.module(func.func(tg-join-concatenations),tg-set-target{optimization=1},tg-fuse-kernels,tg-place-parts,tg-schedule)' | FileCheck %s --check-prefix=SCHEDULE

// Nested joins share one buffer, here an output. Each kernel writes its part
// for any batch size, and parts are read in place.

// CHECK-LABEL: func.func @dense
// CHECK: %[[A:[a-z0-9_]+]] = tgx.call @[[FIRST:[a-z0-9_]+]](%{{.*}}, %{{.*}})
// CHECK: %[[B:[a-z0-9_]+]] = tgx.call @[[SECOND:[a-z0-9_]+]](%[[A]])
// CHECK: %[[C:[a-z0-9_]+]] = tgx.join %[[A]], %[[B]] along 1
// CHECK: tgx.call @[[SUM:[a-z0-9_]+]](%[[C]])
// CHECK: tgx.call @[[SHIFT:[a-z0-9_]+]](%[[C]], %{{.*}})
// CHECK: %[[D:[a-z0-9_]+]] = tgx.call @[[LAST:[a-z0-9_]+]](
// CHECK: tgx.join %[[C]], %[[D]] along 1
// CHECK: tgx.kernel @[[FIRST]] contraction{{.*}} attributes {output_rows = [#tgx.rows<axis = 1, row_stride = 80>]}
// CHECK: tgx.kernel @[[SECOND]] loop{{.*}} attributes {argument_rows = [#tgx.rows<axis = 1, row_stride = 80>], output_rows = [#tgx.rows<axis = 1, row_stride = 80>]}
// CHECK: tgx.kernel @[[SUM]] reduction{{.*}} attributes {argument_rows = [#tgx.rows<axis = 1, row_stride = 80>]}
// CHECK: tgx.kernel @[[SHIFT]] loop{{.*}} attributes {argument_rows = [#tgx.rows<axis = 1, row_stride = 80>, unit]}
// CHECK: tgx.kernel @[[LAST]] contraction{{.*}} attributes {output_rows = [#tgx.rows<axis = 1, row_stride = 80>]}
// SCHEDULE-LABEL: tgx.function @dense
// SCHEDULE: %[[Y:[a-z0-9_]+]] = tgx.output 0 : tensor<?x80xf32>
// SCHEDULE: %[[A:[a-z0-9_]+]] = tgx.part %[[Y]] along 1 at 0 : tensor<?x80xf32> -> tensor<?x16xf32>
// SCHEDULE: tgx.launch @{{.*}} into(%[[A]])
// SCHEDULE: %[[B:[a-z0-9_]+]] = tgx.part %[[Y]] along 1 at 16 : tensor<?x80xf32> -> tensor<?x16xf32>
// SCHEDULE: tgx.launch @{{.*}}(%[[A]]) into(%[[B]])
// SCHEDULE: %[[C:[a-z0-9_]+]] = tgx.part %[[Y]] along 1 at 0 : tensor<?x80xf32> -> tensor<?x32xf32>
// SCHEDULE: tgx.launch @{{.*}}(%[[C]]) into(%{{.*}})
// SCHEDULE: tgx.part %[[Y]] along 1 at 32 : tensor<?x80xf32> -> tensor<?x48xf32>
// SCHEDULE-NOT: tgx.copy
func.func @dense(%x: tensor<?x4xf32> {tg.name = "x"}, %w: tensor<4x16xf32> {tg.name = "w"}, %u: tensor<32x48xf32> {tg.name = "u"}) -> (tensor<?x80xf32> {tg.name = "y"}) {
  %a = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x16xf32>) -> tensor<?x16xf32>
  %b = tg.reverse %a {axes = [1]} : tensor<?x16xf32>
  %c = tg.concat %a, %b {axis = 1} : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x32xf32>
  %sum = tg.reduce_sum %c {axes = [0], keep_dims} : (tensor<?x32xf32>) -> tensor<1x32xf32>
  %e = tg.sub %c, %sum : (tensor<?x32xf32>, tensor<1x32xf32>) -> tensor<?x32xf32>
  %d = tg.matmul %e, %u : (tensor<?x32xf32>, tensor<32x48xf32>) -> tensor<?x48xf32>
  %y = tg.concat %c, %d {axis = 1} : (tensor<?x32xf32>, tensor<?x48xf32>) -> tensor<?x80xf32>
  return %y : tensor<?x80xf32>
}

// -----

// Copied to their part: an input, the second use of a repeated value, a value
// that a product reads directly, and a returned value. The others are written
// in place. A part with contiguous rows needs no special kernel.

// CHECK-LABEL: func.func @copies
// CHECK: %[[A:[a-z0-9_]+]]:2 = tgx.call
// CHECK-DAG: %[[X:[a-z0-9_]+]] = tgx.call @materialize{{[a-z0-9_]*}}(%{{[a-z0-9]+}})
// CHECK-DAG: %[[TWICE:[a-z0-9_]+]] = tgx.call @materialize{{[a-z0-9_]*}}(%[[A]]#1)
// CHECK: tgx.join %[[A]]#1, %[[X]], %[[TWICE]], %{{.*}} along 1
// SCHEDULE-LABEL: tgx.function @copies
func.func @copies(%x: tensor<8x16xf32> {tg.name = "x"}, %w: tensor<16x16xf32> {tg.name = "w"}) -> (tensor<8x80xf32> {tg.name = "y"}, tensor<8x16xf32> {tg.name = "z"}) {
  %a = tg.matmul %x, %w : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %b = tg.relu %a : tensor<8x16xf32>
  %c = tg.matmul %a, %w : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %d = tg.tanh %c : tensor<8x16xf32>
  %y = tg.concat %b, %x, %b, %c, %d {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x80xf32>
  return %y, %a : tensor<8x80xf32>, tensor<8x16xf32>
}

// -----

// A value that a product reads directly is copied.

// CHECK-LABEL: func.func @read_by_product
// CHECK: %[[A:[a-z0-9_]+]] = tgx.call
// CHECK: %[[B:[a-z0-9_]+]] = tgx.call @{{[a-z0-9_]+}}(%[[A]], %{{.*}})
// CHECK: %[[COPY:[a-z0-9_]+]] = tgx.call @materialize{{[a-z0-9_]*}}(%[[A]])
// CHECK: tgx.join %[[COPY]], %[[B]] along 1
func.func @read_by_product(%x: tensor<8x16xf32> {tg.name = "x"}, %w: tensor<16x16xf32> {tg.name = "w"}) -> (tensor<8x32xf32> {tg.name = "y"}) {
  %a = tg.matmul %x, %w : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %b = tg.matmul %a, %w : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %y = tg.concat %a, %b {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// -----

// A part along the first axis is contiguous.

// CHECK-LABEL: func.func @first_axis
// CHECK-NOT: @materialize
// CHECK: tgx.join %{{.*}}, %{{.*}} along 0
// CHECK-NOT: tgx.rows
// SCHEDULE-LABEL: tgx.function @first_axis
// SCHEDULE: tgx.part %{{.*}} along 0 at 8 : tensor<16x16xf32> -> tensor<8x16xf32>
func.func @first_axis(%x: tensor<8x16xf32> {tg.name = "x"}, %w: tensor<16x16xf32> {tg.name = "w"}) -> (tensor<16x16xf32> {tg.name = "y"}) {
  %a = tg.matmul %x, %w : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %b = tg.matmul %a, %w : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %y = tg.concat %a, %b {axis = 0} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}

// -----

// One kernel that writes whole buffers and parts with two leading dimensions is
// cloned into three; an assigned concatenation is copied to the variable.

// CHECK-LABEL: func.func @layouts
// CHECK: %[[A:[a-z0-9_]+]] = tgx.call @[[WIDE:matmul[a-z0-9_]+]](
// CHECK: %[[B:[a-z0-9_]+]] = tgx.call @[[WIDE]](
// CHECK: %[[C:[a-z0-9_]+]] = tgx.call @[[NARROW:matmul[a-z0-9_]+]](
// CHECK: %[[D:[a-z0-9_]+]] = tgx.call @[[NARROW]](
// CHECK: tgx.call @[[WHOLE:matmul[a-z0-9_]+]](
// CHECK-DAG: tgx.kernel @[[WIDE]] contraction{{.*}} attributes {output_rows = [#tgx.rows<axis = 1, row_stride = 48>]}
// CHECK-DAG: tgx.kernel @[[NARROW]] contraction{{.*}} attributes {output_rows = [#tgx.rows<axis = 1, row_stride = 32>]}
// CHECK-DAG: tgx.kernel @[[WHOLE]] contraction(%arg0: tensor<8x16xf32>, %arg1: tensor<16x16xf32>) {
// SCHEDULE-LABEL: tgx.function @layouts
// SCHEDULE: tgx.copy %{{.*}} to %{{.*}} [] -> (1024) : tensor<8x32xf32> to tensor<8x32xf32>
tg.variable @state : tensor<8x32xf32>
func.func @layouts(%x: tensor<8x16xf32> {tg.name = "x"}, %w: tensor<16x16xf32> {tg.name = "w"}) -> (tensor<8x48xf32> {tg.name = "y"}, tensor<8x16xf32> {tg.name = "z"}) {
  %a = tg.matmul %x, %w : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %m = tg.neg %w : tensor<16x16xf32>
  %b = tg.matmul %x, %m : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %y = tg.concat %a, %b, %x {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x48xf32>
  %n = tg.exp %w : tensor<16x16xf32>
  %c = tg.matmul %x, %n : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %o = tg.tanh %w : tensor<16x16xf32>
  %d = tg.matmul %x, %o : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %s = tg.concat %c, %d {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  tg.assign @state, %s : tensor<8x32xf32>
  %p = tg.abs %w : tensor<16x16xf32>
  %z = tg.matmul %x, %p : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  return %y, %z : tensor<8x48xf32>, tensor<8x16xf32>
}
