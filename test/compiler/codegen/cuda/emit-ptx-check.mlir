// A check takes the minimum of the error cell and the element's number. The
// value is stored if the cell had that number already.
// RUN: emit-ptx %s | FileCheck %s

// CHECK-LABEL: .visible .entry check(
// CHECK: setp.{{(lt|gt)}}.u{{32|64}}
// CHECK: atom.global.min.s64 [[OLD:%rd[0-9]+]], [{{%rd[0-9]+}}+16], [[NUMBER:%rd[0-9]+]];
// CHECK: setp.ne.b64 {{%p[0-9]+}}, [[OLD]], [[NUMBER]];
// CHECK: st.relaxed.sys.global.b64
// CHECK: ret;
tgx.kernel @check loop[s0](%label: tensor<?xi32> [s0]) {
  %0 = tgx.check_index %label below [s0] -> (10) {op_name = "tg.softmax_cross_entropy"} : tensor<?xi32>
  %1 = tg.cast %0 {element_type = i64} : (tensor<?xi32>) -> tensor<?xi64>
  tgx.yield %1 : tensor<?xi64>
}
