// expect-accepted
func.func @f() -> (tensor<f32> {tg.name = "result"}) {
  %c0 = tg.constant dense<1.0> : tensor<1024xf32>
  %c1 = tg.concat %c0, %c0 {axis = 0} : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<2048xf32>
  %c2 = tg.concat %c1, %c1 {axis = 0} : (tensor<2048xf32>, tensor<2048xf32>) -> tensor<4096xf32>
  %c3 = tg.concat %c2, %c2 {axis = 0} : (tensor<4096xf32>, tensor<4096xf32>) -> tensor<8192xf32>
  %c4 = tg.concat %c3, %c3 {axis = 0} : (tensor<8192xf32>, tensor<8192xf32>) -> tensor<16384xf32>
  %c5 = tg.concat %c4, %c4 {axis = 0} : (tensor<16384xf32>, tensor<16384xf32>) -> tensor<32768xf32>
  %c6 = tg.concat %c5, %c5 {axis = 0} : (tensor<32768xf32>, tensor<32768xf32>) -> tensor<65536xf32>
  %c7 = tg.concat %c6, %c6 {axis = 0} : (tensor<65536xf32>, tensor<65536xf32>) -> tensor<131072xf32>
  %c8 = tg.concat %c7, %c7 {axis = 0} : (tensor<131072xf32>, tensor<131072xf32>) -> tensor<262144xf32>
  %c9 = tg.concat %c8, %c8 {axis = 0} : (tensor<262144xf32>, tensor<262144xf32>) -> tensor<524288xf32>
  %c10 = tg.concat %c9, %c9 {axis = 0} : (tensor<524288xf32>, tensor<524288xf32>) -> tensor<1048576xf32>
  %c11 = tg.concat %c10, %c10 {axis = 0} : (tensor<1048576xf32>, tensor<1048576xf32>) -> tensor<2097152xf32>
  %c12 = tg.concat %c11, %c11 {axis = 0} : (tensor<2097152xf32>, tensor<2097152xf32>) -> tensor<4194304xf32>
  %c13 = tg.concat %c12, %c12 {axis = 0} : (tensor<4194304xf32>, tensor<4194304xf32>) -> tensor<8388608xf32>
  %c14 = tg.concat %c13, %c13 {axis = 0} : (tensor<8388608xf32>, tensor<8388608xf32>) -> tensor<16777216xf32>
  %c15 = tg.concat %c14, %c14 {axis = 0} : (tensor<16777216xf32>, tensor<16777216xf32>) -> tensor<33554432xf32>
  %c16 = tg.concat %c15, %c15 {axis = 0} : (tensor<33554432xf32>, tensor<33554432xf32>) -> tensor<67108864xf32>
  %c17 = tg.concat %c16, %c16 {axis = 0} : (tensor<67108864xf32>, tensor<67108864xf32>) -> tensor<134217728xf32>
  %c18 = tg.concat %c17, %c17 {axis = 0} : (tensor<134217728xf32>, tensor<134217728xf32>) -> tensor<268435456xf32>
  %c19 = tg.concat %c18, %c18 {axis = 0} : (tensor<268435456xf32>, tensor<268435456xf32>) -> tensor<536870912xf32>
  %c20 = tg.concat %c19, %c19 {axis = 0} : (tensor<536870912xf32>, tensor<536870912xf32>) -> tensor<1073741824xf32>
  %y = tg.reduce_sum %c20 : (tensor<1073741824xf32>) -> tensor<f32>
  return %y : tensor<f32>
}
