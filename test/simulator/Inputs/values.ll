; Kernels on values: each thread reads element i of %in and writes element i of
; %out.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.sqrt.f32(float)
declare float @llvm.copysign.f32(float, float)
declare float @llvm.maxnum.f32(float, float)
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.floor.f64(double)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.abs.i32(i32, i1)

; out[i] = copysign(max(fma(x, x, 1.5) / (x - 0.5), sqrt(|x|)), x) in f32.
define ptx_kernel void @singles(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %from
  %square = call float @llvm.fma.f32(float %x, float %x, float 1.5)
  %shifted = fsub float %x, 0.5
  %quotient = fdiv float %square, %shifted
  %negative = fneg float %x
  %isNegative = fcmp olt float %x, 0.0
  %absolute = select i1 %isNegative, float %negative, float %x
  %root = call float @llvm.sqrt.f32(float %absolute)
  %max = call float @llvm.maxnum.f32(float %quotient, float %root)
  %result = call float @llvm.copysign.f32(float %max, float %x)
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float %result, ptr addrspace(1) %to
  ret void
}

; out[i] = fma(floor(x), x, 1 / x) in f64, and its f32 in the next array.
define ptx_kernel void @doubles(ptr addrspace(1) %in, ptr addrspace(1) %out,
                                ptr addrspace(1) %singles) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr double, ptr addrspace(1) %in, i32 %i
  %x = load double, ptr addrspace(1) %from
  %floor = call double @llvm.floor.f64(double %x)
  %inverse = fdiv double 1.0, %x
  %result = call double @llvm.fma.f64(double %floor, double %x, double %inverse)
  %to = getelementptr double, ptr addrspace(1) %out, i32 %i
  store double %result, ptr addrspace(1) %to
  %single = fptrunc double %result to float
  %toSingle = getelementptr float, ptr addrspace(1) %singles, i32 %i
  store float %single, ptr addrspace(1) %toSingle
  ret void
}

; out[4 i ...] = x / y, x % y, x *high 12345678901, and the bits of x in i64.
define ptx_kernel void @quotients(ptr addrspace(1) %in, ptr addrspace(1) %out,
                                  i64 %y) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i64, ptr addrspace(1) %in, i32 %i
  %x = load i64, ptr addrspace(1) %from
  %quotient = sdiv i64 %x, %y
  %rest = srem i64 %x, %y
  %wide = sext i64 %x to i128
  %product = mul i128 %wide, 12345678901
  %high = lshr i128 %product, 64
  %upper = trunc i128 %high to i64
  %ones = call i64 @llvm.ctpop.i64(i64 %x)
  %zeros = call i64 @llvm.cttz.i64(i64 %x, i1 false)
  %shifted = shl i64 %ones, 32
  %counts = or i64 %shifted, %zeros
  %four = shl i32 %i, 2
  %to = getelementptr i64, ptr addrspace(1) %out, i32 %four
  store i64 %quotient, ptr addrspace(1) %to
  %to1 = getelementptr i64, ptr addrspace(1) %to, i32 1
  store i64 %rest, ptr addrspace(1) %to1
  %to2 = getelementptr i64, ptr addrspace(1) %to, i32 2
  store i64 %upper, ptr addrspace(1) %to2
  %to3 = getelementptr i64, ptr addrspace(1) %to, i32 3
  store i64 %counts, ptr addrspace(1) %to3
  ret void
}

; out[i] = a mix of the bits of x in i32, with narrower types in between.
define ptx_kernel void @bits(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %x = load i32, ptr addrspace(1) %from
  %zeros = call i32 @llvm.ctlz.i32(i32 %x, i1 false)
  %turned = call i32 @llvm.fshl.i32(i32 %x, i32 %x, i32 %zeros)
  %swapped = call i32 @llvm.bswap.i32(i32 %turned)
  %absolute = call i32 @llvm.abs.i32(i32 %swapped, i1 false)
  %byte = trunc i32 %x to i8
  %signed = sext i8 %byte to i32
  %half = trunc i32 %x to i16
  %rest = urem i16 %half, 1000
  %wide = zext i16 %rest to i32
  %sum = add i32 %absolute, %signed
  %result = xor i32 %sum, %wide
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %result, ptr addrspace(1) %to
  ret void
}

; out[i] = the sum of conversions of x from and to integers.
define ptx_kernel void @conversions(ptr addrspace(1) %in,
                                    ptr addrspace(1) %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %from
  %word = fptosi float %x to i32
  %long = fptosi float %x to i64
  %unsigned = and i32 %word, 255
  %a = sitofp i64 %long to float
  %b = uitofp i32 %unsigned to float
  %c = sitofp i32 %word to double
  %d = fptrunc double %c to float
  %e = fadd float %a, %b
  %result = fadd float %e, %d
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float %result, ptr addrspace(1) %to
  ret void
}
