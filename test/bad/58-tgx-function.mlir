// expect: error: expected ops, types and attributes of builtin, func and tg alone [M9]
tgx.function @f attributes { // <- bad
    role = "", symbols = [], computed = affine_map<() -> ()>, inputs = [], outputs = []} {
}
