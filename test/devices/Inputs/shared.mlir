// far: copies a number through the end of 126896 bytes of shared memory.
#far = #tg.cuda_kernel<ptx = ".version 7.0\0A.target sm_80\0A.address_size 64\0A.shared .align 16 .b8 own[@own];\0A.extern .shared .align 16 .b8 given[];\0A.visible .entry far(.param .u64 x, .param .u64 y)\0A{\0A  .reg .f32 %f<2>;\0A  .reg .b64 %d<3>;\0A  ld.param.u64 %d0, [x];\0A  ld.param.u64 %d1, [y];\0A  ld.global.f32 %f0, [%d0];\0A  mov.u64 %d2, given;\0A  st.shared.f32 [%d2+126892], %f0;\0A  st.shared.f32 [own], %f0;\0A  ld.shared.f32 %f1, [%d2+126892];\0A  st.global.f32 [%d1], %f1;\0A  ret;\0A}\0A", block = [1], shared_bytes = 126896>

func.func @far(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %y = tg.cuda_call "far"(%x) kernel #far : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
