// expect: error:
func.func @f(%x: memref<2x2xf32, strided<[4611686018427387904, 4611686018427387904], offset: 4611686018427387904>> {tg.name = "x"}) { // <- bad
  return
}
