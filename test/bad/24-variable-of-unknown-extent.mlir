// expect: error: 'tg.variable' op
// expect: [C1]
tg.variable @w : tensor<?xf32> // <- bad
func.func @f() {
  return
}
