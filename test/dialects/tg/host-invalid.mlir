// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @host_call_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected the name of a function like fc1/relu, found 'my relu' [C1]}}
  tg.host_call "my relu"(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @host_call_c1_empty(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected the name of a function like fc1/relu, found '' [C1]}}
  tg.host_call ""(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @host_call_c1_component(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected the name of a function like fc1/relu, found 'a/../b' [C1]}}
  tg.host_call "a/../b"(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @host_call_c2(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  // expected-error @+1 {{expected as many sizes as dynamic extents of results (0), found 1 [C2]}}
  %y = tg.host_call "f"(%x) sizes(%n) : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @host_call_c2_missing(%n: tensor<i64>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected as many sizes as dynamic extents of results (2), found 1 [C2]}}
  %y = tg.host_call "f"() sizes(%n) : (tensor<i64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

func.func @host_call_sizes(%n: tensor<i32>) -> tensor<?xf32> {
  // expected-error @+1 {{operand #0 must be variadic of 0D tensor of 64-bit signless integer values}}
  %y = tg.host_call "f"() sizes(%n) : (tensor<i32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @host_call_g1(%x: tensor<4xf32>) -> tensor<4xi7> {
  // expected-error @+1 {{expected result 1 to be a ranked tensor without encoding}}
  %y = tg.host_call "f"(%x) : (tensor<4xf32>) -> tensor<4xi7>
  return %y : tensor<4xi7>
}

// -----

func.func @host_call_g5(%x: tensor<4xf32>) {
  // expected-error @+1 {{has no attribute 'pur'; did you mean 'pure'? [G5]}}
  tg.host_call "f"(%x) {pur} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @assert_c1(%ok: tensor<2xi1>) {
  // expected-error @+1 {{operand #0 must be 0D tensor of 1-bit signless integer values}}
  tg.assert %ok, "all hold" : tensor<2xi1>
  return
}

// -----

func.func @assert_element_type(%ok: tensor<i32>) {
  // expected-error @+1 {{operand #0 must be 0D tensor of 1-bit signless integer values}}
  tg.assert %ok, "it holds" : tensor<i32>
  return
}

// -----

func.func @print_g1(%x: tensor<4xi7>) {
  // expected-error @+1 {{expected operand 'input' to be a ranked tensor without encoding}}
  tg.print "x", %x : tensor<4xi7>
  return
}
