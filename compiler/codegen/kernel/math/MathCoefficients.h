// Polynomials of the math expansions; written by coefficients.py.
#ifndef TG_COMPILER_CODEGEN_KERNEL_MATH_MATHCOEFFICIENTS_H
#define TG_COMPILER_CODEGEN_KERNEL_MATH_MATHCOEFFICIENTS_H

namespace tg::coefficients {

/// Fit on [-0.3485, 0.3485], error 2^-26.1.
inline constexpr double kExpm1TailF32[] = {
    0x1.0000000p-1, 0x1.5554ac0p-3,  0x1.5554ee0p-5,
    0x1.122ade0p-7, 0x1.6d46760p-10,
};

/// Fit on [-0.3485, 0.3485], error 2^-55.53.
inline constexpr double kExpm1TailF64[] = {
    0x1.0000000000005p-1,  0x1.555555555555dp-3,  0x1.5555555551ffep-5,
    0x1.111111110e454p-7,  0x1.6c16c17f96389p-10, 0x1.a01a01b69f385p-13,
    0x1.a019a529f7301p-16, 0x1.71dde866b6eb9p-19, 0x1.28a433c4919f9p-22,
    0x1.af7918881b197p-26,
};

/// Fit on [-0.29289, 0.41421], error 2^-27.78.
inline constexpr double kLog1pTailF32[] = {
    -0x1.fffff80p-2, 0x1.55554a0p-2,  -0x1.00042e0p-2,
    0x1.99a70e0p-3,  -0x1.5429080p-3, 0x1.2237b40p-3,
    -0x1.0eedaa0p-3, 0x1.0993d60p-3,  -0x1.3cbd200p-4,
};

/// Fit on [9.0949e-13, 0.02944], error 2^-51.54.
inline constexpr double kLogQuotientF64[] = {
    0x1.5555555555558p-1, 0x1.99999999952d6p-2, 0x1.2492492df77e7p-2,
    0x1.c71c62dc21c7bp-3, 0x1.7462b7633785ap-3, 0x1.39fe08289e082p-3,
    0x1.2b5c630058ac8p-3,
};

/// Fit on [9.0949e-13, 0.02944], error 2^-56.35.
inline constexpr double kLogQuotientTailF64[] = {
    0x1.999999999999ap-3, 0x1.2492492491fd6p-3, 0x1.c71c71c843e64p-4,
    0x1.745d166f55783p-4, 0x1.3b13f8f016615p-4, 0x1.1105d62ed9531p-4,
    0x1.e316a84d3bd72p-5, 0x1.bdaf36d8ae742p-5,
};

/// Fit on [9.0949e-13, 0.391], error 2^-27.85.
inline constexpr double kTanhTailF32[] = {
    -0x1.5555340p-2, 0x1.11075e0p-3,  -0x1.b842cc0p-5,
    0x1.524cb40p-6,  -0x1.767d3a0p-8,
};

/// Fit on [-0.17425, 0.17425], error 2^-23.02.
inline constexpr double kExpOfDoubleF32[] = {
    0x1.0000020p+0, 0x1.0000000p+1, 0x1.fffc960p+0,
    0x1.55548e0p+0, 0x1.577e1c0p-1, 0x1.123cd60p-2,
};

/// Fit on [9.0949e-13, 0.617], error 2^-28.03.
inline constexpr double kSinTailF32[] = {
    -0x1.5555460p-3,
    0x1.11077e0p-7,
    -0x1.9956ae0p-13,
};

/// Fit on [9.0949e-13, 0.617], error 2^-33.12.
inline constexpr double kCosTailF32[] = {
    0x1.55554a0p-5,
    -0x1.6c0c200p-10,
    0x1.99e4c00p-16,
};

/// Fit on [9.0949e-13, 0.617], error 2^-58.01.
inline constexpr double kSinTailF64[] = {
    -0x1.5555555555549p-3, 0x1.111111110f8a5p-7,   -0x1.a01a019c15df1p-13,
    0x1.71de357ad373fp-19, -0x1.ae5e6857204c6p-26, 0x1.5d938bb7d00d0p-33,
};

/// Fit on [9.0949e-13, 0.617], error 2^-64.19.
inline constexpr double kCosTailF64[] = {
    0x1.555555555554cp-5,   -0x1.6c16c16c1521ep-10, 0x1.a01a019cbf2dap-16,
    -0x1.27e4f8127d12ep-22, 0x1.1ee9f11fecd8fp-29,  -0x1.8fb1116e9e66ap-37,
};

/// Fit on [9.0949e-13, 0.17157], error 2^-30.47.
inline constexpr double kAtanTailF32[] = {
    -0x1.55554a0p-2, 0x1.9991e80p-3,  -0x1.23ba440p-3,
    0x1.b22f080p-4,  -0x1.f31f260p-5,
};

/// Fit on [9.0949e-13, 0.17157], error 2^-59.47.
inline constexpr double kAtanTailF64[] = {
    -0x1.555555555553dp-2, 0x1.9999999995894p-3,  -0x1.24924922aee15p-3,
    0x1.c71c70e6bf3dcp-4,  -0x1.745cf8f1cd4adp-4, 0x1.3b111aaa8e88fp-4,
    -0x1.10ebca7643123p-4, 0x1.df10585cf5a44p-5,  -0x1.9cd7854fadeb7p-5,
    0x1.37e1d931cff2bp-5,  -0x1.25851a5916889p-6,
};

/// π/2 as a sum.
inline constexpr double kHalfPiF32[] = {
    0x1.921fb54400000p+0,
    0x1.0b4611a626331p-34,
};

/// π/2 as a sum.
inline constexpr double kHalfPiF64[] = {
    0x1.921fb54400000p+0,
    0x1.0b4611a600000p-34,
    0x1.3198a2ep-69,
    0x1.b839a252049c1p-104,
};

/// 2/π to the base 2^25, highest digit first.
inline constexpr double kTwoOverPi[] = {
    0x1.45f3060p+24, 0x1.b939100p+24, 0x1.529fc20p+23, 0x1.d5f47c0p+22,
    0x1.4d37700p+23, 0x1.b6c5280p+21, 0x1.993c420p+23, 0x1.9041fe0p+24,
    0x1.458eae0p+23, 0x1.7aef150p+24, 0x1.0db9230p+24, 0x1.c748480p+23,
    0x1.ba5c000p+24, 0x1.924bba0p+24, 0x1.04e8c90p+24, 0x1.cfe1d00p+20,
    0x1.d639620p+24, 0x1.4d39f60p+23, 0x1.4411af0p+24, 0x1.52ebb40p+24,
    0x1.213a660p+23, 0x1.1c09ad0p+24, 0x1.7df9000p+21, 0x1.3991d60p+24,
    0x1.cc1a980p+22, 0x1.cfa4e40p+23, 0x1.17e2e80p+21, 0x1.df92830p+24,
    0x1.63ff120p+24, 0x1.fff7810p+24, 0x1.980fee0p+23, 0x1.2f118b0p+24,
    0x1.6829b40p+23, 0x1.f6d3640p+22, 0x1.f6793e0p+24, 0x1.6136e80p+23,
    0x1.e8c7ec0p+24, 0x1.a797fa0p+24, 0x1.16ba930p+24, 0x1.bac7eb0p+24,
    0x1.cbe2f60p+24, 0x1.e839ce0p+23, 0x1.bc52940p+24, 0x1.2ea6bf0p+24,
    0x1.6bf6230p+24, 0x1.e357420p+24, 0x1.580cc00p+21, 0x1.1bf1ec0p+22,
};

/// Fit on [9.0949e-13, 1.0], error 2^-29.56.
inline constexpr double kErfSmallF32[] = {
    0x1.06eba80p-3, -0x1.8127400p-2,  0x1.ce2d500p-4,  -0x1.b7fe900p-6,
    0x1.542e0e0p-8, -0x1.a50aea0p-11, 0x1.4c33ae0p-14,
};

/// Fit on [-1.47, 1.47], error 2^-27.02.
inline constexpr double kErfLargeF32[] = {
    0x1.ffc16c0p-1,   0x1.4b69060p-9,   -0x1.994db00p-8, 0x1.356a940p-7,
    -0x1.39dc320p-7,  0x1.b21f6c0p-8,   -0x1.7cc5c80p-9, 0x1.feafd60p-12,
    0x1.5acd460p-12,  -0x1.3268500p-12, 0x1.4472500p-14, 0x1.7e0edc0p-16,
    -0x1.1bccc80p-16, 0x1.df632a0p-23,  0x1.16a1e80p-20,
};

/// Fit on [9.0949e-13, 1.0], error 2^-56.21.
inline constexpr double kErfSmallF64[] = {
    0x1.06eba8214db69p-3,   -0x1.812746b037a25p-2,  0x1.ce2f21a045912p-4,
    -0x1.b82ce31357bc5p-6,  0x1.565bcd2d21d65p-8,   -0x1.c02db962bd70bp-11,
    0x1.f9a3c02c6c09ep-14,  -0x1.f4dd8e05ac0cdp-17, 0x1.ba72135afa48ep-20,
    -0x1.63e5d6e3f8949p-23, 0x1.1515344c42fa5p-26,  -0x1.d1c1c1cb3793fp-30,
    0x1.4e6a047d46858p-33,
};

/// Fit on [-0.5, 0.5], error 2^-54.76.
inline constexpr double kErfMiddleF64[] = {
    0x1.eea5557137ae0p-1,  0x1.e723726b824a9p-4,   -0x1.6d5a95d0a1d73p-3,
    0x1.1c2a02beb6a93p-3,  -0x1.6d5a95d07f0e7p-5,  -0x1.e723726b73455p-7,
    0x1.3ca3d724d89f2p-6,  -0x1.36d73a669ef51p-8,  -0x1.35ae4b2a26c99p-9,
    0x1.c0380db9d3ccdp-10, -0x1.85b87860b8811p-14, -0x1.0acf3c43d12f7p-12,
    0x1.45e1c6b734aebp-14, 0x1.2d5979c45e750p-16,  -0x1.d8a7897be157dp-17,
    0x1.3203989a2c9aep-21, 0x1.88e49517a7413p-20,  -0x1.2eefecc326ad5p-22,
};

/// Fit on [-0.75, 0.75], error 2^-54.37.
inline constexpr double kErfLargeF64[] = {
    0x1.fff2cfb0453d9p-1,   0x1.3360ccd23db37p-11, -0x1.a6a519a1092d7p-10,
    0x1.69cf466ccddabp-9,   -0x1.ab0c273bac0b4p-9, 0x1.693596066d202p-9,
    -0x1.b2755be0b6760p-10, 0x1.52b6263be7495p-11, -0x1.7557805d38561p-14,
    -0x1.2abb3b8c8be61p-14, 0x1.cd599800b8365p-15, -0x1.09d0bde9f8adbp-16,
    -0x1.1fa5b5850848cp-20, 0x1.68bb72426f56dp-19, -0x1.eae37878e72fbp-21,
    0x1.40b570c5cb14bp-29,  0x1.c9d8975e90e5dp-24, -0x1.2534967e546a7p-25,
    -0x1.1c8304292b3a1p-29, 0x1.c39724a4c2855p-29,
};

/// Fit on [-1.25, 1.25], error 2^-54.08.
inline constexpr double kErfTailF64[] = {
    0x1.ffffffffd759dp-1,   0x1.8a617436a5f43p-33,  -0x1.d452df56e46f0p-31,
    0x1.6a8aec9dfb7a9p-29,  -0x1.9b0394b1e923ap-28, 0x1.6b43c73156e4cp-27,
    -0x1.042afce7f6f4ep-26, 0x1.35dc7ea2c16b3p-26,  -0x1.384620cf26703p-26,
    0x1.0d4d45e73dfe5p-26,  -0x1.90570df4f344cp-27, 0x1.01e1cda79a37ap-27,
    -0x1.1fe2a62df4164p-28, 0x1.11f913152cf43p-29,  -0x1.b15cdfcbf960fp-31,
    0x1.1dafd7ffa8600p-32,  -0x1.307bfa8ebb9f5p-34, 0x1.c955be1f837ddp-38,
    0x1.b34e647a5d079p-38,  -0x1.88a08c5ddbf07p-39, 0x1.62c90ec272ac0p-42,
};

/// Fit on [-2.5, 2.5], error 2^-24.01.
inline constexpr double kErfInvNearF32[] = {
    0x1.805c5e0p+0,  0x1.f91e8a0p-3,   -0x1.11c8e80p-8,  -0x1.48650c0p-10,
    0x1.ca41280p-13, -0x1.4dbde80p-18, -0x1.d617ca0p-19, 0x1.f6e54a0p-22,
    0x1.c2cc380p-26, -0x1.3385b00p-27,
};

/// Fit on [-0.76393, 1.0], error 2^-25.28.
inline constexpr double kErfInvFarF32[] = {
    0x1.6a9efc0p+1,   0x1.006dca0p+0,  0x1.3580140p-7,  -0x1.f4c1b60p-8,
    0x1.74a8b00p-8,   -0x1.d5aada0p-9, 0x1.8616c00p-10, -0x1.4728360p-14,
    -0x1.477e9e0p-12, 0x1.09b71c0p-13,
};

/// Fit on [-3.125, 3.125], error 2^-52.21.
inline constexpr double kErfInvNearF64[] = {
    0x1.a755e7c99ae86p+0,   0x1.ebd80d9b13e25p-3,   -0x1.8b6c33114f04dp-8,
    -0x1.845769484efcbp-11, 0x1.879c2a20eb743p-13,  -0x1.d1d1f7b8bae56p-17,
    -0x1.6e8a53ffea484p-20, 0x1.c6b4f5d62ee58p-22,  -0x1.f36ce183c9bf1p-26,
    -0x1.1a9e396657830p-28, 0x1.20f4ce036671dp-30,  -0x1.dc582f2db7329p-35,
    -0x1.c891a8f262cfbp-37, 0x1.72a215cc4df22p-39,  -0x1.6dfb0b269831ap-44,
    -0x1.6d33da9069ef5p-45, 0x1.dc08e0952f918p-48,  0x1.8331ed1a4a3c4p-56,
    -0x1.2de68f3dcde5cp-53, 0x1.9b9854745d739p-57,  0x1.5d20858ff62a2p-60,
    -0x1.8dc4b00176eb6p-63, -0x1.0507be0018579p-69,
};

/// Fit on [-0.75, 0.75], error 2^-51.72.
inline constexpr double kErfInvMiddleF64[] = {
    0x1.8abcc380d5a48p+1,  0x1.0158a6d641d42p+0,   0x1.5ffcfe5b70044p-8,
    -0x1.ebadabb8cf3cbp-9, 0x1.468eeca71059dp-9,   -0x1.ba924129c8406p-10,
    0x1.f3cc5536b6c4ep-11, -0x1.7448a9f2e13e4p-12, 0x1.932d527767c33p-16,
    0x1.1e68685907320p-14, -0x1.8cf050fb56716p-15, 0x1.a2977d3d50d81p-17,
    0x1.88986ce43ca2dp-19, -0x1.0d54cba97973ep-18, 0x1.92a4c4c98ce2fp-20,
    0x1.30fcc3e43b08fp-26, -0x1.24b100979fb56p-22, 0x1.869cc95088669p-24,
    0x1.4bc4f44a68183p-30,
};

/// Fit on [-1.0, 1.1], error 2^-53.43.
inline constexpr double kErfInvFarF64[] = {
    0x1.3664ddd1ad7fbp+2,   0x1.02a30d1fba10bp+0,   -0x1.22ea5df1dcef2p-13,
    -0x1.c2f36aa1c1e86p-13, 0x1.3ebf4ef88bcd1p-14,  -0x1.4a348fed98e95p-16,
    0x1.2fbd011d358f4p-18,  -0x1.0a90664d10f67p-20, 0x1.ebe010e1f2723p-23,
    -0x1.22299316850ecp-24, 0x1.f2daf26c9010ep-26,  -0x1.0601e7f4ab4bcp-26,
    0x1.0b90057d51dd8p-27,  -0x1.ddac701da29abp-29, 0x1.739c1d9e5f90fp-30,
    -0x1.de98a8d96699bp-32, 0x1.b505aaca438dcp-35,  0x1.747c2ddd57740p-35,
    -0x1.16fb990f7e4aep-36,
};

} // namespace tg::coefficients

#endif // TG_COMPILER_CODEGEN_KERNEL_MATH_MATHCOEFFICIENTS_H
