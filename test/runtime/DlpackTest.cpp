/// Checks that tg_tensor_t has the layout of DLPack's DLTensor.
#include "tg/abi.h"

#include <cstddef>
#include <dlpack/dlpack.h>
#include <gtest/gtest.h>

#define EXPECT_SAME_FIELD(ours, theirs, field)                                 \
  EXPECT_EQ(offsetof(ours, field), offsetof(theirs, field));                   \
  EXPECT_EQ(sizeof(ours::field), sizeof(theirs::field))

TEST(Dlpack, tensorsHaveTheSameLayout) {
  EXPECT_EQ(sizeof(tg_tensor_t), sizeof(DLTensor));
  EXPECT_EQ(alignof(tg_tensor_t), alignof(DLTensor));
  EXPECT_SAME_FIELD(tg_tensor_t, DLTensor, data);
  EXPECT_SAME_FIELD(tg_tensor_t, DLTensor, device);
  EXPECT_SAME_FIELD(tg_tensor_t, DLTensor, ndim);
  EXPECT_SAME_FIELD(tg_tensor_t, DLTensor, dtype);
  EXPECT_SAME_FIELD(tg_tensor_t, DLTensor, shape);
  EXPECT_SAME_FIELD(tg_tensor_t, DLTensor, strides);
  EXPECT_SAME_FIELD(tg_tensor_t, DLTensor, byte_offset);
  EXPECT_SAME_FIELD(tg_dtype_t, DLDataType, code);
  EXPECT_SAME_FIELD(tg_dtype_t, DLDataType, bits);
  EXPECT_SAME_FIELD(tg_dtype_t, DLDataType, lanes);
  EXPECT_SAME_FIELD(tg_device_t, DLDevice, device_type);
  EXPECT_SAME_FIELD(tg_device_t, DLDevice, device_id);
}

TEST(Dlpack, enumeratorsHaveTheSameValues) {
  EXPECT_EQ(int(TG_DTYPE_INT), int(kDLInt));
  EXPECT_EQ(int(TG_DTYPE_UINT), int(kDLUInt));
  EXPECT_EQ(int(TG_DTYPE_FLOAT), int(kDLFloat));
  EXPECT_EQ(int(TG_DTYPE_BFLOAT), int(kDLBfloat));
#if DLPACK_VERSION >= 80 // older ones have no bool
  EXPECT_EQ(int(TG_DTYPE_BOOL), int(kDLBool));
#endif
  EXPECT_EQ(int(TG_DEVICE_CPU), int(kDLCPU));
  EXPECT_EQ(int(TG_DEVICE_CUDA), int(kDLCUDA));
  EXPECT_EQ(int(TG_DEVICE_CUDA_HOST), int(kDLCUDAHost));
}
