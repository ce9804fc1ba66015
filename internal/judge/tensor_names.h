// Operators of PyTorch that tensor.h does not have: X(NAME, RESULTS) for the methods of tensors and for the functions of its
// table native_functions.yaml, version 2.5. A call of one ends in the verdict "unsupported", which names it.
#pragma once

#define WG_METHODS(X) \
  X(abs_, 1) X(absolute, 1) X(absolute_, 1) X(acos, 1) X(acos_, 1) X(acosh, 1) X(acosh_, 1) X(addbmm, 1) X(addbmm_, 1) X(addcdiv, 1) X(addcdiv_, 1) \
  X(addcmul, 1) X(addcmul_, 1) X(addmm, 1) X(addmm_, 1) X(addmv, 1) X(addmv_, 1) X(addr, 1) X(addr_, 1) X(adjoint, 1) X(align_as, 1) X(align_to, 1) \
  X(all, 1) X(allclose, 1) X(amax, 1) X(amin, 1) X(aminmax, 2) X(angle, 1) X(any, 1) X(arccos, 1) X(arccos_, 1) X(arccosh, 1) X(arccosh_, 1) \
  X(arcsin, 1) X(arcsin_, 1) X(arcsinh, 1) X(arcsinh_, 1) X(arctan, 1) X(arctan2, 1) X(arctan2_, 1) X(arctan_, 1) X(arctanh, 1) X(arctanh_, 1) \
  X(argmax, 1) X(argmin, 1) X(argsort, 1) X(argwhere, 1) X(as_strided, 1) X(as_strided_, 1) X(as_strided_scatter, 1) X(asin, 1) X(asin_, 1) \
  X(asinh, 1) X(asinh_, 1) X(atan, 1) X(atan2, 1) X(atan2_, 1) X(atan_, 1) X(atanh, 1) X(atanh_, 1) X(baddbmm, 1) X(baddbmm_, 1) X(bernoulli, 1) \
  X(bernoulli_, 1) X(bincount, 1) X(bitwise_and, 1) X(bitwise_and_, 1) X(bitwise_left_shift, 1) X(bitwise_left_shift_, 1) X(bitwise_not, 1) \
  X(bitwise_not_, 1) X(bitwise_or, 1) X(bitwise_or_, 1) X(bitwise_right_shift, 1) X(bitwise_right_shift_, 1) X(bitwise_xor, 1) X(bitwise_xor_, 1) \
  X(bmm, 1) X(broadcast_to, 1) X(cauchy_, 1) X(ccol_indices, 1) X(ceil, 1) X(ceil_, 1) X(chalf, 1) X(cholesky, 1) X(cholesky_inverse, 1) \
  X(cholesky_solve, 1) X(chunk, 1) X(clamp_, 1) X(clamp_max_, 1) X(clamp_min_, 1) X(clip, 1) X(clip_, 1) X(coalesce, 1) X(col_indices, 1) X(conj, 1) \
  X(conj_physical, 1) X(conj_physical_, 1) X(copysign, 1) X(copysign_, 1) X(corrcoef, 1) X(cos_, 1) X(cosh, 1) X(cosh_, 1) X(count_nonzero, 1) \
  X(cov, 1) X(cross, 1) X(crow_indices, 1) X(cummax, 2) X(cummin, 2) X(cumprod, 1) X(cumprod_, 1) X(cumsum, 1) X(cumsum_, 1) X(deg2rad, 1) \
  X(deg2rad_, 1) X(dense_dim, 1) X(dequantize, 1) X(det, 1) X(detach_, 1) X(diag, 1) X(diag_embed, 1) X(diagflat, 1) X(diagonal, 1) \
  X(diagonal_scatter, 1) X(diff, 1) X(digamma, 1) X(digamma_, 1) X(dist, 1) X(divide, 1) X(divide_, 1) X(dot, 1) X(dsplit, 1) X(eq, 1) X(eq_, 1) \
  X(equal, 1) X(erf_, 1) X(erfc, 1) X(erfc_, 1) X(erfinv, 1) X(erfinv_, 1) X(exp2, 1) X(exp2_, 1) X(exp_, 1) X(expm1, 1) X(expm1_, 1) \
  X(exponential_, 1) X(fill_diagonal_, 1) X(fix, 1) X(fix_, 1) X(flip, 1) X(fliplr, 1) X(flipud, 1) X(float_power, 1) X(float_power_, 1) X(floor, 1) \
  X(floor_, 1) X(floor_divide, 1) X(floor_divide_, 1) X(fmax, 1) X(fmin, 1) X(fmod, 1) X(fmod_, 1) X(frac, 1) X(frac_, 1) X(frexp, 2) X(gather, 1) \
  X(gcd, 1) X(gcd_, 1) X(ge, 1) X(ge_, 1) X(geometric_, 1) X(geqrf, 2) X(ger, 1) X(greater, 1) X(greater_, 1) X(greater_equal, 1) \
  X(greater_equal_, 1) X(gt, 1) X(gt_, 1) X(hardshrink, 1) X(hardshrink_backward, 1) X(heaviside, 1) X(heaviside_, 1) X(histc, 1) X(histogram, 2) \
  X(hsplit, 1) X(hypot, 1) X(hypot_, 1) X(i0, 1) X(i0_, 1) X(igamma, 1) X(igamma_, 1) X(igammac, 1) X(igammac_, 1) X(index, 1) X(index_add, 1) \
  X(index_add_, 1) X(index_copy, 1) X(index_copy_, 1) X(index_fill, 1) X(index_fill_, 1) X(index_put, 1) X(index_put_, 1) X(index_reduce, 1) \
  X(index_reduce_, 1) X(index_select, 1) X(indices, 1) X(inner, 1) X(int_repr, 1) X(inverse, 1) X(is_coalesced, 1) X(is_conj, 1) X(is_distributed, 1) \
  X(is_inference, 1) X(is_neg, 1) X(is_pinned, 1) X(is_set_to, 1) X(is_signed, 1) X(isclose, 1) X(isfinite, 1) X(isinf, 1) X(isnan, 1) X(isneginf, 1) \
  X(isposinf, 1) X(isreal, 1) X(istft, 1) X(kron, 1) X(kthvalue, 2) X(lcm, 1) X(lcm_, 1) X(ldexp, 1) X(ldexp_, 1) X(le, 1) X(le_, 1) X(lerp, 1) \
  X(lerp_, 1) X(less, 1) X(less_, 1) X(less_equal, 1) X(less_equal_, 1) X(lgamma, 1) X(lgamma_, 1) X(log10, 1) X(log10_, 1) X(log1p, 1) X(log1p_, 1) \
  X(log2, 1) X(log2_, 1) X(log_, 1) X(log_normal_, 1) X(log_softmax, 1) X(logaddexp, 1) X(logaddexp2, 1) X(logcumsumexp, 1) X(logdet, 1) \
  X(logical_and, 1) X(logical_and_, 1) X(logical_not, 1) X(logical_not_, 1) X(logical_or, 1) X(logical_or_, 1) X(logical_xor, 1) X(logical_xor_, 1) \
  X(logit, 1) X(logit_, 1) X(logsumexp, 1) X(lt, 1) X(lt_, 1) X(lu_solve, 1) X(mH, 1) X(mT, 1) X(masked_fill, 1) X(masked_fill_, 1) \
  X(masked_scatter, 1) X(masked_scatter_, 1) X(masked_select, 1) X(matmul, 1) X(matrix_H, 1) X(matrix_exp, 1) X(matrix_power, 1) X(max, 1) X(mean, 1) \
  X(median, 1) X(min, 1) X(mm, 1) X(mode, 2) X(moveaxis, 1) X(movedim, 1) X(msort, 1) X(multinomial, 1) X(multiply, 1) X(multiply_, 1) X(mv, 1) \
  X(mvlgamma, 1) X(mvlgamma_, 1) X(nan_to_num, 1) X(nan_to_num_, 1) X(nanmean, 1) X(nanmedian, 1) X(nanquantile, 1) X(nansum, 1) X(narrow_copy, 1) \
  X(ne, 1) X(ne_, 1) X(neg_, 1) X(negative, 1) X(negative_, 1) X(new_empty, 1) X(new_empty_strided, 1) X(new_full, 1) X(new_ones, 1) X(new_zeros, 1) \
  X(nextafter, 1) X(nextafter_, 1) X(nonzero, 1) X(nonzero_numpy, 1) X(nonzero_static, 1) X(norm, 1) X(normal_, 1) X(not_equal, 1) X(not_equal_, 1) \
  X(numpy_T, 1) X(orgqr, 1) X(ormqr, 1) X(outer, 1) X(pin_memory, 1) X(pinverse, 1) X(polygamma, 1) X(polygamma_, 1) X(positive, 1) X(pow, 1) \
  X(pow_, 1) X(prelu, 1) X(prod, 1) X(put, 1) X(put_, 1) X(q_per_channel_axis, 1) X(q_per_channel_scales, 1) X(q_per_channel_zero_points, 1) \
  X(q_scale, 1) X(q_zero_point, 1) X(qr, 2) X(quantile, 1) X(rad2deg, 1) X(rad2deg_, 1) X(random_, 1) X(ravel, 1) X(reciprocal_, 1) \
  X(record_stream, 1) X(refine_names, 1) X(remainder, 1) X(remainder_, 1) X(rename, 1) X(rename_, 1) X(renorm, 1) X(renorm_, 1) X(repeat, 1) \
  X(repeat_interleave, 1) X(resize_, 1) X(resize_as_, 1) X(resize_as_sparse_, 1) X(resolve_conj, 1) X(resolve_neg, 1) X(retains_grad, 1) X(roll, 1) \
  X(rot90, 1) X(round, 1) X(round_, 1) X(row_indices, 1) X(rsqrt_, 1) X(scatter, 1) X(scatter_, 1) X(scatter_add, 1) X(scatter_add_, 1) \
  X(scatter_reduce, 1) X(scatter_reduce_, 1) X(select_scatter, 1) X(set_, 1) X(set_data, 1) X(sgn, 1) X(sgn_, 1) X(sigmoid_, 1) X(sign, 1) \
  X(sign_, 1) X(signbit, 1) X(sin_, 1) X(sinc, 1) X(sinc_, 1) X(sinh, 1) X(sinh_, 1) X(slice, 1) X(slice_inverse, 1) X(slice_scatter, 1) \
  X(slogdet, 2) X(smm, 1) X(softmax, 1) X(sort, 2) X(sparse_dim, 1) X(sparse_mask, 1) X(sparse_resize_, 1) X(sparse_resize_and_clear_, 1) X(split, 1) \
  X(split_with_sizes, 1) X(sqrt_, 1) X(square_, 1) X(squeeze_, 1) X(sspaddmm, 1) X(std, 1) X(stft, 1) X(subtract, 1) X(subtract_, 1) X(sum, 1) \
  X(sum_to_size, 1) X(svd, 3) X(swapaxes, 1) X(swapaxes_, 1) X(swapdims, 1) X(swapdims_, 1) X(t_, 1) X(take, 1) X(take_along_dim, 1) X(tan, 1) \
  X(tan_, 1) X(tanh_, 1) X(tensor_split, 1) X(tile, 1) X(to_dense, 1) X(to_mkldnn, 1) X(to_padded_tensor, 1) X(to_sparse, 1) X(to_sparse_bsc, 1) \
  X(to_sparse_bsr, 1) X(to_sparse_csc, 1) X(to_sparse_csr, 1) X(topk, 2) X(trace, 1) X(transpose_, 1) X(triangular_solve, 2) X(tril, 1) X(tril_, 1) \
  X(triu, 1) X(triu_, 1) X(true_divide, 1) X(true_divide_, 1) X(trunc, 1) X(trunc_, 1) X(type_as, 1) X(unbind, 1) X(unflatten, 1) X(unfold, 1) \
  X(uniform_, 1) X(unsafe_chunk, 1) X(unsafe_split, 1) X(unsafe_split_with_sizes, 1) X(unsqueeze_, 1) X(values, 1) X(var, 1) X(vdot, 1) X(vsplit, 1) \
  X(where, 1) X(xlogy, 1) X(xlogy_, 1)

#define WG_FUNCTIONS(X) \
  X(abs_, 1) X(abs_out, 1) X(absolute, 1) X(absolute_out, 1) X(acos, 1) X(acos_, 1) X(acos_out, 1) X(acosh, 1) X(acosh_, 1) X(acosh_out, 1) \
  X(adaptive_avg_pool1d, 1) X(adaptive_avg_pool2d, 1) X(adaptive_avg_pool2d_out, 1) X(adaptive_avg_pool3d, 1) X(adaptive_avg_pool3d_backward, 1) \
  X(adaptive_avg_pool3d_out, 1) X(adaptive_max_pool1d, 2) X(adaptive_max_pool2d, 2) X(adaptive_max_pool2d_backward, 1) X(adaptive_max_pool2d_out, 2) \
  X(adaptive_max_pool3d, 2) X(adaptive_max_pool3d_backward, 1) X(adaptive_max_pool3d_out, 2) X(add_out, 1) X(addbmm, 1) X(addbmm_out, 1) \
  X(addcdiv, 1) X(addcdiv_out, 1) X(addcmul, 1) X(addcmul_out, 1) X(addmm, 1) X(addmm_out, 1) X(addmv, 1) X(addmv_, 1) X(addmv_out, 1) X(addr, 1) \
  X(addr_out, 1) X(adjoint, 1) X(affine_grid_generator, 1) X(affine_grid_generator_backward, 1) X(alias, 1) X(alias_copy, 1) X(align_tensors, 1) \
  X(all, 1) X(all_out, 1) X(allclose, 1) X(alpha_dropout, 1) X(alpha_dropout_, 1) X(amax, 1) X(amax_out, 1) X(amin, 1) X(amin_out, 1) X(aminmax, 2) \
  X(aminmax_out, 2) X(angle, 1) X(angle_out, 1) X(any, 1) X(any_out, 1) X(arange, 1) X(arange_out, 1) X(arccos, 1) X(arccos_, 1) X(arccos_out, 1) \
  X(arccosh, 1) X(arccosh_, 1) X(arccosh_out, 1) X(arcsin, 1) X(arcsin_, 1) X(arcsin_out, 1) X(arcsinh, 1) X(arcsinh_, 1) X(arcsinh_out, 1) \
  X(arctan, 1) X(arctan2, 1) X(arctan2_out, 1) X(arctan_, 1) X(arctan_out, 1) X(arctanh, 1) X(arctanh_, 1) X(arctanh_out, 1) X(argmax, 1) \
  X(argmax_out, 1) X(argmin, 1) X(argmin_out, 1) X(argsort, 1) X(argsort_out, 1) X(argwhere, 1) X(as_strided, 1) X(as_strided_, 1) \
  X(as_strided_copy, 1) X(as_strided_scatter, 1) X(asin, 1) X(asin_, 1) X(asin_out, 1) X(asinh, 1) X(asinh_, 1) X(asinh_out, 1) X(atan, 1) \
  X(atan2, 1) X(atan2_out, 1) X(atan_, 1) X(atan_out, 1) X(atanh, 1) X(atanh_, 1) X(atanh_out, 1) X(atleast_1d, 1) X(atleast_2d, 1) X(atleast_3d, 1) \
  X(avg_pool1d, 1) X(avg_pool2d, 1) X(avg_pool2d_backward, 1) X(avg_pool2d_out, 1) X(avg_pool3d, 1) X(avg_pool3d_backward, 1) X(avg_pool3d_out, 1) \
  X(baddbmm, 1) X(baddbmm_out, 1) X(bartlett_window, 1) X(batch_norm, 1) X(batch_norm_backward, 3) X(batch_norm_backward_elemt, 1) \
  X(batch_norm_backward_reduce, 4) X(batch_norm_elemt, 1) X(batch_norm_elemt_out, 1) X(batch_norm_gather_stats, 2) \
  X(batch_norm_gather_stats_with_counts, 2) X(batch_norm_stats, 2) X(batch_norm_update_stats, 2) X(bernoulli, 1) X(bernoulli_out, 1) X(bilinear, 1) \
  X(binary_cross_entropy, 1) X(binary_cross_entropy_backward, 1) X(binary_cross_entropy_out, 1) X(binary_cross_entropy_with_logits, 1) X(bincount, 1) \
  X(binomial, 1) X(bitwise_and, 1) X(bitwise_and_out, 1) X(bitwise_left_shift, 1) X(bitwise_left_shift_out, 1) X(bitwise_not, 1) \
  X(bitwise_not_out, 1) X(bitwise_or, 1) X(bitwise_or_out, 1) X(bitwise_right_shift, 1) X(bitwise_right_shift_out, 1) X(bitwise_xor, 1) \
  X(bitwise_xor_out, 1) X(blackman_window, 1) X(block_diag, 1) X(bmm, 1) X(bmm_out, 1) X(broadcast_tensors, 1) X(broadcast_to, 1) X(bucketize, 1) \
  X(bucketize_out, 1) X(can_cast, 1) X(cartesian_prod, 1) X(cat, 1) X(cat_out, 1) X(ccol_indices_copy, 1) X(cdist, 1) X(ceil, 1) X(ceil_, 1) \
  X(ceil_out, 1) X(celu, 1) X(celu_, 1) X(chain_matmul, 1) X(chain_matmul_out, 1) X(channel_shuffle, 1) X(cholesky, 1) X(cholesky_inverse, 1) \
  X(cholesky_inverse_out, 1) X(cholesky_out, 1) X(cholesky_solve, 1) X(cholesky_solve_out, 1) X(choose_qparams_optimized, 2) X(chunk, 1) X(clamp_, 1) \
  X(clamp_max_, 1) X(clamp_max_out, 1) X(clamp_min_, 1) X(clamp_min_out, 1) X(clamp_out, 1) X(clip, 1) X(clip_, 1) X(clip_out, 1) X(clone, 1) \
  X(col2im, 1) X(col2im_out, 1) X(col_indices_copy, 1) X(column_stack, 1) X(column_stack_out, 1) X(combinations, 1) X(complex, 1) X(complex_out, 1) \
  X(concat, 1) X(concat_out, 1) X(concatenate, 1) X(concatenate_out, 1) X(conj, 1) X(conj_physical, 1) X(conj_physical_, 1) X(conj_physical_out, 1) \
  X(constant_pad_nd, 1) X(conv1d, 1) X(conv2d, 1) X(conv3d, 1) X(conv_depthwise3d, 1) X(conv_tbc, 1) X(conv_tbc_backward, 3) X(conv_transpose1d, 1) \
  X(conv_transpose2d, 1) X(conv_transpose3d, 1) X(convolution, 1) X(convolution_backward, 3) X(convolution_backward_overrideable, 3) \
  X(convolution_overrideable, 1) X(copy, 1) X(copy_sparse_to_sparse_, 1) X(copysign, 1) X(copysign_out, 1) X(corrcoef, 1) X(cos_, 1) X(cos_out, 1) \
  X(cosh, 1) X(cosh_, 1) X(cosh_out, 1) X(cosine_embedding_loss, 1) X(cosine_similarity, 1) X(count_nonzero, 1) X(cov, 1) X(cross, 1) \
  X(cross_entropy_loss, 1) X(cross_out, 1) X(crow_indices_copy, 1) X(ctc_loss, 1) X(cudnn_affine_grid_generator, 1) \
  X(cudnn_affine_grid_generator_backward, 1) X(cudnn_batch_norm, 4) X(cudnn_batch_norm_backward, 3) X(cudnn_convolution, 1) \
  X(cudnn_convolution_add_relu, 1) X(cudnn_convolution_out, 1) X(cudnn_convolution_relu, 1) X(cudnn_convolution_transpose, 1) \
  X(cudnn_grid_sampler, 1) X(cudnn_grid_sampler_backward, 2) X(cudnn_is_acceptable, 1) X(cummax, 2) X(cummax_out, 2) X(cummaxmin_backward, 1) \
  X(cummin, 2) X(cummin_out, 2) X(cumprod, 1) X(cumprod_backward, 1) X(cumprod_out, 1) X(cumsum, 1) X(cumsum_out, 1) X(cumulative_trapezoid, 1) \
  X(deg2rad, 1) X(deg2rad_, 1) X(deg2rad_out, 1) X(dequantize, 1) X(det, 1) X(detach, 1) X(detach_, 1) X(detach_copy, 1) X(diag, 1) X(diag_embed, 1) \
  X(diag_out, 1) X(diagflat, 1) X(diagonal, 1) X(diagonal_backward, 1) X(diagonal_copy, 1) X(diagonal_scatter, 1) X(diff, 1) X(diff_out, 1) \
  X(digamma, 1) X(digamma_out, 1) X(dist, 1) X(div_out, 1) X(divide, 1) X(divide_out, 1) X(dot, 1) X(dot_out, 1) X(dropout, 1) X(dropout_, 1) \
  X(dsplit, 1) X(dstack, 1) X(dstack_out, 1) X(einsum, 1) X(elu, 1) X(elu_, 1) X(elu_backward, 1) X(elu_out, 1) X(embedding, 1) \
  X(embedding_backward, 1) X(embedding_bag, 4) X(embedding_dense_backward, 1) X(embedding_renorm_, 1) X(embedding_sparse_backward, 1) X(empty_out, 1) \
  X(empty_permuted, 1) X(empty_quantized, 1) X(empty_strided, 1) X(eq, 1) X(eq_out, 1) X(equal, 1) X(erf_, 1) X(erf_out, 1) X(erfc, 1) X(erfc_, 1) \
  X(erfc_out, 1) X(erfinv, 1) X(erfinv_out, 1) X(exp2, 1) X(exp2_, 1) X(exp2_out, 1) X(exp_, 1) X(exp_out, 1) X(expand, 1) X(expand_as, 1) \
  X(expand_copy, 1) X(expm1, 1) X(expm1_, 1) X(expm1_out, 1) X(eye, 1) X(eye_out, 1) X(fake_quantize_per_channel_affine, 1) \
  X(fake_quantize_per_channel_affine_cachemask, 2) X(fake_quantize_per_channel_affine_cachemask_backward, 1) X(fake_quantize_per_tensor_affine, 1) \
  X(fake_quantize_per_tensor_affine_cachemask, 2) X(fake_quantize_per_tensor_affine_cachemask_backward, 1) X(fbgemm_linear_fp16_weight, 1) \
  X(fbgemm_linear_fp16_weight_fp32_activation, 1) X(fbgemm_linear_int8_weight, 1) X(fbgemm_linear_int8_weight_fp32_activation, 1) \
  X(fbgemm_linear_quantize_weight, 4) X(fbgemm_pack_gemm_matrix_fp16, 1) X(fbgemm_pack_quantized_matrix, 1) X(feature_alpha_dropout, 1) \
  X(feature_alpha_dropout_, 1) X(feature_dropout, 1) X(feature_dropout_, 1) X(fft_fft, 1) X(fft_fft2, 1) X(fft_fft2_out, 1) X(fft_fft_out, 1) \
  X(fft_fftfreq, 1) X(fft_fftfreq_out, 1) X(fft_fftn, 1) X(fft_fftn_out, 1) X(fft_fftshift, 1) X(fft_hfft, 1) X(fft_hfft2, 1) X(fft_hfft2_out, 1) \
  X(fft_hfft_out, 1) X(fft_hfftn, 1) X(fft_hfftn_out, 1) X(fft_ifft, 1) X(fft_ifft2, 1) X(fft_ifft2_out, 1) X(fft_ifft_out, 1) X(fft_ifftn, 1) \
  X(fft_ifftn_out, 1) X(fft_ifftshift, 1) X(fft_ihfft, 1) X(fft_ihfft2, 1) X(fft_ihfft2_out, 1) X(fft_ihfft_out, 1) X(fft_ihfftn, 1) \
  X(fft_ihfftn_out, 1) X(fft_irfft, 1) X(fft_irfft2, 1) X(fft_irfft2_out, 1) X(fft_irfft_out, 1) X(fft_irfftn, 1) X(fft_irfftn_out, 1) X(fft_rfft, 1) \
  X(fft_rfft2, 1) X(fft_rfft2_out, 1) X(fft_rfft_out, 1) X(fft_rfftfreq, 1) X(fft_rfftfreq_out, 1) X(fft_rfftn, 1) X(fft_rfftn_out, 1) X(fill, 1) \
  X(fill_, 1) X(fix, 1) X(fix_, 1) X(fix_out, 1) X(flatten, 1) X(flatten_dense_tensors, 1) X(flip, 1) X(fliplr, 1) X(flipud, 1) X(float_power, 1) \
  X(float_power_out, 1) X(floor, 1) X(floor_, 1) X(floor_divide, 1) X(floor_divide_out, 1) X(floor_out, 1) X(fmax, 1) X(fmax_out, 1) X(fmin, 1) \
  X(fmin_out, 1) X(fmod, 1) X(fmod_out, 1) X(frac, 1) X(frac_, 1) X(frac_out, 1) X(fractional_max_pool2d, 2) X(fractional_max_pool2d_backward, 1) \
  X(fractional_max_pool3d, 2) X(fractional_max_pool3d_backward, 1) X(frexp, 2) X(frexp_out, 2) X(frobenius_norm, 1) X(frobenius_norm_out, 1) \
  X(from_file, 1) X(full_out, 1) X(fused_moving_avg_obs_fake_quant, 1) X(gather, 1) X(gather_backward, 1) X(gather_out, 1) X(gcd, 1) X(gcd_, 1) \
  X(gcd_out, 1) X(ge, 1) X(ge_out, 1) X(gelu, 1) X(gelu_, 1) X(gelu_backward, 1) X(gelu_out, 1) X(geqrf, 2) X(ger, 1) X(ger_out, 1) X(glu, 1) \
  X(glu_backward, 1) X(glu_backward_jvp, 1) X(glu_jvp, 1) X(glu_out, 1) X(gradient, 1) X(greater, 1) X(greater_equal, 1) X(greater_equal_out, 1) \
  X(greater_out, 1) X(grid_sampler, 1) X(grid_sampler_2d, 1) X(grid_sampler_2d_backward, 2) X(grid_sampler_3d, 1) X(grid_sampler_3d_backward, 2) \
  X(group_norm, 1) X(gru, 2) X(gru_cell, 1) X(gt, 1) X(gt_out, 1) X(hamming_window, 1) X(hann_window, 1) X(hardshrink, 1) X(hardshrink_backward, 1) \
  X(hardshrink_out, 1) X(hardsigmoid, 1) X(hardsigmoid_, 1) X(hardsigmoid_backward, 1) X(hardsigmoid_out, 1) X(hardswish, 1) X(hardswish_, 1) \
  X(hardswish_backward, 1) X(hardswish_out, 1) X(hardtanh, 1) X(hardtanh_, 1) X(hardtanh_backward, 1) X(hardtanh_out, 1) X(heaviside, 1) \
  X(heaviside_out, 1) X(hinge_embedding_loss, 1) X(histc, 1) X(histc_out, 1) X(histogram, 2) X(histogram_out, 2) X(histogramdd, 2) X(hsplit, 1) \
  X(hspmm, 1) X(hspmm_out, 1) X(hstack, 1) X(hstack_out, 1) X(huber_loss, 1) X(huber_loss_backward, 1) X(huber_loss_backward_out, 1) \
  X(huber_loss_out, 1) X(hypot, 1) X(hypot_out, 1) X(i0, 1) X(i0_, 1) X(i0_out, 1) X(igamma, 1) X(igamma_out, 1) X(igammac, 1) X(igammac_out, 1) \
  X(im2col, 1) X(im2col_out, 1) X(imag, 1) X(index, 1) X(index_add, 1) X(index_add_out, 1) X(index_copy, 1) X(index_copy_out, 1) X(index_fill, 1) \
  X(index_out, 1) X(index_put, 1) X(index_put_, 1) X(index_reduce, 1) X(index_reduce_out, 1) X(index_select, 1) X(index_select_backward, 1) \
  X(index_select_out, 1) X(indices_copy, 1) X(infinitely_differentiable_gelu_backward, 1) X(inner, 1) X(inner_out, 1) X(instance_norm, 1) \
  X(int_repr, 1) X(inverse, 1) X(inverse_out, 1) X(is_complex, 1) X(is_conj, 1) X(is_distributed, 1) X(is_floating_point, 1) X(is_inference, 1) \
  X(is_neg, 1) X(is_nonzero, 1) X(is_same_size, 1) X(is_signed, 1) X(is_vulkan_available, 1) X(isclose, 1) X(isfinite, 1) X(isin, 1) X(isin_out, 1) \
  X(isinf, 1) X(isnan, 1) X(isneginf, 1) X(isneginf_out, 1) X(isposinf, 1) X(isposinf_out, 1) X(isreal, 1) X(istft, 1) X(kaiser_window, 1) \
  X(kl_div, 1) X(kron, 1) X(kron_out, 1) X(kthvalue, 2) X(kthvalue_out, 2) X(l1_loss, 1) X(layer_norm, 1) X(lcm, 1) X(lcm_, 1) X(lcm_out, 1) \
  X(ldexp, 1) X(ldexp_, 1) X(ldexp_out, 1) X(le, 1) X(le_out, 1) X(leaky_relu, 1) X(leaky_relu_, 1) X(leaky_relu_backward, 1) X(leaky_relu_out, 1) \
  X(lerp, 1) X(lerp_out, 1) X(less, 1) X(less_equal, 1) X(less_equal_out, 1) X(less_out, 1) X(lgamma, 1) X(lgamma_out, 1) X(lift, 1) X(lift_fresh, 1) \
  X(lift_fresh_copy, 1) X(linalg_cholesky, 1) X(linalg_cholesky_ex, 2) X(linalg_cholesky_out, 1) X(linalg_cond, 1) X(linalg_cond_out, 1) \
  X(linalg_cross, 1) X(linalg_cross_out, 1) X(linalg_det, 1) X(linalg_det_out, 1) X(linalg_diagonal, 1) X(linalg_eig, 2) X(linalg_eig_out, 2) \
  X(linalg_eigh, 2) X(linalg_eigvals, 1) X(linalg_eigvals_out, 1) X(linalg_eigvalsh, 1) X(linalg_eigvalsh_out, 1) X(linalg_householder_product, 1) \
  X(linalg_householder_product_out, 1) X(linalg_inv, 1) X(linalg_inv_ex, 2) X(linalg_inv_out, 1) X(linalg_ldl_factor, 2) X(linalg_ldl_factor_ex, 3) \
  X(linalg_ldl_factor_ex_out, 3) X(linalg_ldl_factor_out, 2) X(linalg_ldl_solve, 1) X(linalg_ldl_solve_out, 1) X(linalg_lstsq, 4) \
  X(linalg_lstsq_out, 4) X(linalg_lu, 3) X(linalg_lu_factor, 2) X(linalg_lu_factor_ex, 3) X(linalg_lu_factor_ex_out, 3) X(linalg_lu_factor_out, 2) \
  X(linalg_lu_out, 3) X(linalg_lu_solve, 1) X(linalg_lu_solve_out, 1) X(linalg_matmul, 1) X(linalg_matmul_out, 1) X(linalg_matrix_exp, 1) \
  X(linalg_matrix_norm, 1) X(linalg_matrix_norm_out, 1) X(linalg_matrix_power, 1) X(linalg_matrix_power_out, 1) X(linalg_matrix_rank, 1) \
  X(linalg_matrix_rank_out, 1) X(linalg_multi_dot, 1) X(linalg_multi_dot_out, 1) X(linalg_norm, 1) X(linalg_norm_out, 1) X(linalg_pinv, 1) \
  X(linalg_pinv_out, 1) X(linalg_qr, 2) X(linalg_qr_out, 2) X(linalg_slogdet, 2) X(linalg_slogdet_out, 2) X(linalg_solve, 1) X(linalg_solve_ex, 2) \
  X(linalg_solve_ex_out, 2) X(linalg_solve_out, 1) X(linalg_solve_triangular, 1) X(linalg_solve_triangular_out, 1) X(linalg_svd, 3) \
  X(linalg_svdvals, 1) X(linalg_svdvals_out, 1) X(linalg_tensorinv, 1) X(linalg_tensorinv_out, 1) X(linalg_tensorsolve, 1) \
  X(linalg_tensorsolve_out, 1) X(linalg_vander, 1) X(linalg_vecdot, 1) X(linalg_vecdot_out, 1) X(linalg_vector_norm, 1) X(linalg_vector_norm_out, 1) \
  X(linear, 1) X(linear_backward, 3) X(linear_out, 1) X(linspace, 1) X(linspace_out, 1) X(log10, 1) X(log10_, 1) X(log10_out, 1) X(log1p, 1) \
  X(log1p_, 1) X(log1p_out, 1) X(log2, 1) X(log2_, 1) X(log2_out, 1) X(log_, 1) X(log_out, 1) X(log_sigmoid, 1) X(log_sigmoid_backward, 1) \
  X(log_sigmoid_forward, 2) X(log_sigmoid_out, 1) X(log_softmax, 1) X(log_softmax_out, 1) X(logaddexp, 1) X(logaddexp2, 1) X(logaddexp2_out, 1) \
  X(logaddexp_out, 1) X(logcumsumexp, 1) X(logcumsumexp_out, 1) X(logdet, 1) X(logical_and, 1) X(logical_and_out, 1) X(logical_not, 1) \
  X(logical_not_out, 1) X(logical_or, 1) X(logical_or_out, 1) X(logical_xor, 1) X(logical_xor_out, 1) X(logit, 1) X(logit_, 1) X(logit_backward, 1) \
  X(logit_out, 1) X(logspace, 1) X(logspace_out, 1) X(logsumexp, 1) X(logsumexp_out, 1) X(lstm, 3) X(lstm_cell, 2) X(lstm_mps_backward, 3) X(lt, 1) \
  X(lt_out, 1) X(lu_solve, 1) X(lu_solve_out, 1) X(lu_unpack, 3) X(lu_unpack_out, 3) X(margin_ranking_loss, 1) X(masked_fill, 1) X(masked_scatter, 1) \
  X(masked_scatter_backward, 1) X(masked_select, 1) X(masked_select_backward, 1) X(masked_select_out, 1) X(matmul, 1) X(matmul_backward, 2) \
  X(matmul_out, 1) X(matrix_exp, 1) X(matrix_exp_backward, 1) X(matrix_power, 1) X(matrix_power_out, 1) X(max, 1) X(max_out, 1) X(max_pool1d, 1) \
  X(max_pool1d_with_indices, 2) X(max_pool2d, 1) X(max_pool2d_backward, 1) X(max_pool2d_with_indices, 2) X(max_pool2d_with_indices_backward, 1) \
  X(max_pool2d_with_indices_out, 2) X(max_pool3d, 1) X(max_pool3d_with_indices, 2) X(max_pool3d_with_indices_backward, 1) \
  X(max_pool3d_with_indices_out, 2) X(max_unpool2d, 1) X(max_unpool2d_out, 1) X(max_unpool3d, 1) X(max_unpool3d_out, 1) X(maximum_out, 1) X(mean, 1) \
  X(mean_out, 1) X(median, 1) X(meshgrid, 1) X(min, 1) X(min_out, 1) X(minimum_out, 1) X(miopen_batch_norm, 3) X(miopen_batch_norm_backward, 3) \
  X(miopen_convolution, 1) X(miopen_convolution_add_relu, 1) X(miopen_convolution_relu, 1) X(miopen_convolution_transpose, 1) \
  X(miopen_depthwise_convolution, 1) X(miopen_rnn, 5) X(miopen_rnn_backward, 4) X(mish, 1) X(mish_, 1) X(mish_backward, 1) X(mish_out, 1) \
  X(mkldnn_adaptive_avg_pool2d, 1) X(mkldnn_adaptive_avg_pool2d_backward, 1) X(mkldnn_adaptive_avg_pool2d_out, 1) X(mkldnn_convolution, 1) \
  X(mkldnn_linear, 1) X(mkldnn_linear_backward, 3) X(mkldnn_linear_backward_input, 1) X(mkldnn_linear_backward_weights, 2) X(mkldnn_max_pool2d, 1) \
  X(mkldnn_max_pool2d_backward, 1) X(mkldnn_max_pool3d, 1) X(mkldnn_max_pool3d_backward, 1) X(mkldnn_reorder_conv2d_weight, 1) \
  X(mkldnn_reorder_conv3d_weight, 1) X(mkldnn_rnn_layer, 4) X(mkldnn_rnn_layer_backward, 7) X(mm, 1) X(mm_out, 1) X(mode, 2) X(mode_out, 2) \
  X(moveaxis, 1) X(movedim, 1) X(mps_convolution_backward, 3) X(mps_convolution_transpose_backward, 2) X(mse_loss, 1) X(mse_loss_backward, 1) \
  X(mse_loss_out, 1) X(msort, 1) X(msort_out, 1) X(mul_out, 1) X(multi_margin_loss, 1) X(multi_margin_loss_backward, 1) X(multi_margin_loss_out, 1) \
  X(multilabel_margin_loss, 1) X(multilabel_margin_loss_backward, 1) X(multilabel_margin_loss_forward, 2) X(multilabel_margin_loss_out, 1) \
  X(multinomial, 1) X(multinomial_out, 1) X(multiply, 1) X(multiply_out, 1) X(mv, 1) X(mv_out, 1) X(mvlgamma, 1) X(mvlgamma_out, 1) X(nan_to_num, 1) \
  X(nan_to_num_, 1) X(nan_to_num_out, 1) X(nanmean, 1) X(nanmean_out, 1) X(nanmedian, 1) X(nanquantile, 1) X(nanquantile_out, 1) X(nansum, 1) \
  X(nansum_out, 1) X(narrow, 1) X(narrow_copy, 1) X(narrow_copy_out, 1) X(native_batch_norm, 3) X(native_batch_norm_backward, 3) \
  X(native_batch_norm_out, 3) X(native_channel_shuffle, 1) X(native_dropout, 2) X(native_dropout_backward, 1) X(native_group_norm, 3) \
  X(native_group_norm_backward, 3) X(native_layer_norm, 3) X(native_layer_norm_backward, 3) X(native_norm, 1) X(ne, 1) X(ne_out, 1) X(neg_, 1) \
  X(neg_out, 1) X(negative, 1) X(negative_, 1) X(negative_out, 1) X(nested_to_padded_tensor, 1) X(nextafter, 1) X(nextafter_out, 1) X(nll_loss, 1) \
  X(nll_loss2d, 1) X(nll_loss2d_backward, 1) X(nll_loss2d_forward, 2) X(nll_loss2d_out, 1) X(nll_loss_backward, 1) X(nll_loss_forward, 2) \
  X(nll_loss_nd, 1) X(nll_loss_out, 1) X(nonzero, 1) X(nonzero_numpy, 1) X(nonzero_out, 1) X(nonzero_static, 1) X(nonzero_static_out, 1) X(norm, 1) \
  X(norm_except_dim, 1) X(norm_out, 1) X(normal, 1) X(normal_functional, 1) X(normal_out, 1) X(not_equal, 1) X(not_equal_out, 1) X(nuclear_norm, 1) \
  X(nuclear_norm_out, 1) X(one_hot, 1) X(ones_out, 1) X(orgqr, 1) X(orgqr_out, 1) X(ormqr, 1) X(ormqr_out, 1) X(outer, 1) X(outer_out, 1) X(pad, 1) \
  X(pad_sequence, 1) X(pairwise_distance, 1) X(pdist, 1) X(permute, 1) X(permute_copy, 1) X(pinverse, 1) X(pixel_shuffle, 1) X(pixel_unshuffle, 1) \
  X(poisson, 1) X(poisson_nll_loss, 1) X(polar, 1) X(polar_out, 1) X(polygamma, 1) X(polygamma_out, 1) X(positive, 1) X(pow, 1) X(pow_out, 1) \
  X(prelu, 1) X(prod, 1) X(prod_out, 1) X(promote_types, 1) X(put, 1) X(q_per_channel_axis, 1) X(q_per_channel_scales, 1) \
  X(q_per_channel_zero_points, 1) X(q_scale, 1) X(q_zero_point, 1) X(qr, 2) X(quantile, 1) X(quantile_out, 1) X(quantize_per_channel, 1) \
  X(quantize_per_tensor, 1) X(quantize_per_tensor_dynamic, 1) X(quantized_batch_norm, 1) X(quantized_gru_cell, 1) X(quantized_lstm_cell, 2) \
  X(quantized_max_pool1d, 1) X(quantized_max_pool2d, 1) X(quantized_max_pool3d, 1) X(quantized_rnn_relu_cell, 1) X(quantized_rnn_tanh_cell, 1) \
  X(rad2deg, 1) X(rad2deg_, 1) X(rad2deg_out, 1) X(rand, 1) X(rand_like, 1) X(rand_out, 1) X(randint, 1) X(randint_like, 1) X(randint_out, 1) \
  X(randn, 1) X(randn_like, 1) X(randn_out, 1) X(randperm, 1) X(randperm_out, 1) X(range, 1) X(range_out, 1) X(ravel, 1) X(real, 1) X(reciprocal_, 1) \
  X(reciprocal_out, 1) X(reflection_pad1d, 1) X(reflection_pad1d_backward, 1) X(reflection_pad1d_out, 1) X(reflection_pad2d, 1) \
  X(reflection_pad2d_backward, 1) X(reflection_pad2d_out, 1) X(reflection_pad3d, 1) X(reflection_pad3d_backward, 1) X(reflection_pad3d_out, 1) \
  X(relu6, 1) X(relu6_, 1) X(relu_, 1) X(remainder, 1) X(remainder_out, 1) X(renorm, 1) X(renorm_out, 1) X(repeat, 1) X(repeat_interleave, 1) \
  X(replication_pad1d, 1) X(replication_pad1d_backward, 1) X(replication_pad1d_out, 1) X(replication_pad2d, 1) X(replication_pad2d_backward, 1) \
  X(replication_pad2d_out, 1) X(replication_pad3d, 1) X(replication_pad3d_backward, 1) X(replication_pad3d_out, 1) X(reshape, 1) X(resize_as_, 1) \
  X(resize_as_sparse_, 1) X(resolve_conj, 1) X(resolve_neg, 1) X(result_type, 1) X(rms_norm, 1) X(rnn_relu, 2) X(rnn_relu_cell, 1) X(rnn_tanh, 2) \
  X(rnn_tanh_cell, 1) X(roll, 1) X(rot90, 1) X(round, 1) X(round_, 1) X(round_out, 1) X(row_indices_copy, 1) X(row_stack, 1) X(row_stack_out, 1) \
  X(rrelu, 1) X(rrelu_, 1) X(rrelu_with_noise, 1) X(rrelu_with_noise_, 1) X(rrelu_with_noise_backward, 1) X(rrelu_with_noise_out, 1) X(rsqrt_, 1) \
  X(rsqrt_out, 1) X(rsub, 1) X(scaled_dot_product_attention, 1) X(scatter, 1) X(scatter_add, 1) X(scatter_add_out, 1) X(scatter_out, 1) \
  X(scatter_reduce, 1) X(scatter_reduce_out, 1) X(searchsorted, 1) X(searchsorted_out, 1) X(segment_reduce, 1) X(select, 1) X(select_backward, 1) \
  X(select_copy, 1) X(select_scatter, 1) X(selu, 1) X(selu_, 1) X(sgn, 1) X(sgn_out, 1) X(sigmoid_, 1) X(sigmoid_backward, 1) X(sigmoid_out, 1) \
  X(sign, 1) X(sign_out, 1) X(signbit, 1) X(signbit_out, 1) X(silu, 1) X(silu_, 1) X(silu_backward, 1) X(silu_out, 1) X(sin_, 1) X(sin_out, 1) \
  X(sinc, 1) X(sinc_, 1) X(sinc_out, 1) X(sinh, 1) X(sinh_, 1) X(sinh_out, 1) X(size, 1) X(slice, 1) X(slice_backward, 1) X(slice_copy, 1) \
  X(slice_inverse, 1) X(slice_scatter, 1) X(slogdet, 2) X(slogdet_out, 2) X(slow_conv3d, 1) X(slow_conv3d_forward, 1) X(slow_conv3d_out, 1) \
  X(slow_conv_dilated2d, 1) X(slow_conv_dilated3d, 1) X(slow_conv_transpose2d, 1) X(slow_conv_transpose2d_out, 1) X(slow_conv_transpose3d, 1) \
  X(slow_conv_transpose3d_out, 1) X(smm, 1) X(smooth_l1_loss, 1) X(smooth_l1_loss_backward, 1) X(smooth_l1_loss_out, 1) X(soft_margin_loss, 1) \
  X(soft_margin_loss_backward, 1) X(soft_margin_loss_out, 1) X(softmax, 1) X(softmax_out, 1) X(softplus, 1) X(softplus_backward, 1) \
  X(softplus_out, 1) X(softshrink, 1) X(softshrink_backward, 1) X(softshrink_out, 1) X(sort, 2) X(sparse_bsc_tensor, 1) X(sparse_bsr_tensor, 1) \
  X(sparse_compressed_tensor, 1) X(sparse_coo_tensor, 1) X(sparse_csc_tensor, 1) X(sparse_csr_tensor, 1) X(sparse_sampled_addmm, 1) \
  X(sparse_sampled_addmm_out, 1) X(special_airy_ai, 1) X(special_airy_ai_out, 1) X(special_bessel_j0, 1) X(special_bessel_j0_out, 1) \
  X(special_bessel_j1, 1) X(special_bessel_j1_out, 1) X(special_bessel_y0, 1) X(special_bessel_y0_out, 1) X(special_bessel_y1, 1) \
  X(special_bessel_y1_out, 1) X(special_chebyshev_polynomial_t, 1) X(special_chebyshev_polynomial_t_out, 1) X(special_chebyshev_polynomial_u, 1) \
  X(special_chebyshev_polynomial_u_out, 1) X(special_chebyshev_polynomial_v, 1) X(special_chebyshev_polynomial_v_out, 1) \
  X(special_chebyshev_polynomial_w, 1) X(special_chebyshev_polynomial_w_out, 1) X(special_digamma, 1) X(special_digamma_out, 1) X(special_entr, 1) \
  X(special_entr_out, 1) X(special_erf, 1) X(special_erf_out, 1) X(special_erfc, 1) X(special_erfc_out, 1) X(special_erfcx, 1) \
  X(special_erfcx_out, 1) X(special_erfinv, 1) X(special_erfinv_out, 1) X(special_exp2, 1) X(special_exp2_out, 1) X(special_expit, 1) \
  X(special_expit_out, 1) X(special_expm1, 1) X(special_expm1_out, 1) X(special_gammainc, 1) X(special_gammainc_out, 1) X(special_gammaincc, 1) \
  X(special_gammaincc_out, 1) X(special_gammaln, 1) X(special_gammaln_out, 1) X(special_hermite_polynomial_h, 1) \
  X(special_hermite_polynomial_h_out, 1) X(special_hermite_polynomial_he, 1) X(special_hermite_polynomial_he_out, 1) X(special_i0, 1) \
  X(special_i0_out, 1) X(special_i0e, 1) X(special_i0e_out, 1) X(special_i1, 1) X(special_i1_out, 1) X(special_i1e, 1) X(special_i1e_out, 1) \
  X(special_laguerre_polynomial_l, 1) X(special_laguerre_polynomial_l_out, 1) X(special_legendre_polynomial_p, 1) \
  X(special_legendre_polynomial_p_out, 1) X(special_log1p, 1) X(special_log1p_out, 1) X(special_log_ndtr, 1) X(special_log_ndtr_out, 1) \
  X(special_log_softmax, 1) X(special_logit, 1) X(special_logit_out, 1) X(special_logsumexp, 1) X(special_logsumexp_out, 1) \
  X(special_modified_bessel_i0, 1) X(special_modified_bessel_i0_out, 1) X(special_modified_bessel_i1, 1) X(special_modified_bessel_i1_out, 1) \
  X(special_modified_bessel_k0, 1) X(special_modified_bessel_k0_out, 1) X(special_modified_bessel_k1, 1) X(special_modified_bessel_k1_out, 1) \
  X(special_multigammaln, 1) X(special_multigammaln_out, 1) X(special_ndtr, 1) X(special_ndtr_out, 1) X(special_ndtri, 1) X(special_ndtri_out, 1) \
  X(special_polygamma, 1) X(special_polygamma_out, 1) X(special_psi, 1) X(special_psi_out, 1) X(special_round, 1) X(special_round_out, 1) \
  X(special_scaled_modified_bessel_k0, 1) X(special_scaled_modified_bessel_k0_out, 1) X(special_scaled_modified_bessel_k1, 1) \
  X(special_scaled_modified_bessel_k1_out, 1) X(special_shifted_chebyshev_polynomial_t, 1) X(special_shifted_chebyshev_polynomial_t_out, 1) \
  X(special_shifted_chebyshev_polynomial_u, 1) X(special_shifted_chebyshev_polynomial_u_out, 1) X(special_shifted_chebyshev_polynomial_v, 1) \
  X(special_shifted_chebyshev_polynomial_v_out, 1) X(special_shifted_chebyshev_polynomial_w, 1) X(special_shifted_chebyshev_polynomial_w_out, 1) \
  X(special_sinc, 1) X(special_sinc_out, 1) X(special_softmax, 1) X(special_spherical_bessel_j0, 1) X(special_spherical_bessel_j0_out, 1) \
  X(special_xlog1py, 1) X(special_xlog1py_out, 1) X(special_xlogy, 1) X(special_xlogy_out, 1) X(special_zeta, 1) X(special_zeta_out, 1) X(split, 1) \
  X(split_copy, 1) X(split_copy_out, 1) X(split_with_sizes, 1) X(split_with_sizes_copy, 1) X(split_with_sizes_copy_out, 1) X(sqrt_, 1) X(sqrt_out, 1) \
  X(square_, 1) X(square_out, 1) X(squeeze, 1) X(squeeze_copy, 1) X(sspaddmm, 1) X(sspaddmm_out, 1) X(stack, 1) X(stack_out, 1) X(std, 1) \
  X(std_mean, 2) X(std_out, 1) X(stft, 1) X(stride, 1) X(sub_out, 1) X(subtract, 1) X(subtract_out, 1) X(sum, 1) X(sum_out, 1) X(svd, 3) \
  X(swapaxes, 1) X(swapdims, 1) X(sym_constrain_range, 1) X(sym_constrain_range_for_size, 1) X(sym_numel, 1) X(sym_size, 1) X(sym_storage_offset, 1) \
  X(sym_stride, 1) X(t, 1) X(t_copy, 1) X(take, 1) X(take_along_dim, 1) X(take_along_dim_out, 1) X(take_out, 1) X(tan, 1) X(tan_, 1) X(tan_out, 1) \
  X(tanh_, 1) X(tanh_backward, 1) X(tanh_out, 1) X(tensor_split, 1) X(tensordot, 1) X(tensordot_out, 1) X(thnn_conv2d, 1) X(thnn_conv2d_out, 1) \
  X(threshold, 1) X(threshold_, 1) X(threshold_backward, 1) X(threshold_out, 1) X(tile, 1) X(to_dense_backward, 1) X(to_mkldnn_backward, 1) \
  X(topk, 2) X(trace, 1) X(trace_backward, 1) X(transpose, 1) X(transpose_copy, 1) X(trapezoid, 1) X(trapz, 1) X(triangular_solve, 2) X(tril, 1) \
  X(tril_indices, 1) X(tril_out, 1) X(triplet_margin_loss, 1) X(triu, 1) X(triu_indices, 1) X(triu_out, 1) X(true_divide, 1) X(true_divide_out, 1) \
  X(trunc, 1) X(trunc_, 1) X(trunc_out, 1) X(unbind, 1) X(unbind_copy, 1) X(unbind_copy_out, 1) X(unflatten, 1) X(unflatten_dense_tensors, 1) \
  X(unfold_backward, 1) X(unfold_copy, 1) X(unique_consecutive, 3) X(unique_dim, 3) X(unique_dim_consecutive, 3) X(unsafe_chunk, 1) \
  X(unsafe_split, 1) X(unsafe_split_with_sizes, 1) X(unsqueeze, 1) X(unsqueeze_copy, 1) X(upsample_bicubic2d, 1) X(upsample_bicubic2d_backward, 1) \
  X(upsample_bicubic2d_out, 1) X(upsample_bilinear2d, 1) X(upsample_bilinear2d_backward, 1) X(upsample_bilinear2d_out, 1) X(upsample_linear1d, 1) \
  X(upsample_linear1d_backward, 1) X(upsample_linear1d_out, 1) X(upsample_nearest1d, 1) X(upsample_nearest1d_backward, 1) \
  X(upsample_nearest1d_out, 1) X(upsample_nearest2d, 1) X(upsample_nearest2d_backward, 1) X(upsample_nearest2d_out, 1) X(upsample_nearest3d, 1) \
  X(upsample_nearest3d_backward, 1) X(upsample_nearest3d_out, 1) X(upsample_trilinear3d, 1) X(upsample_trilinear3d_backward, 1) \
  X(upsample_trilinear3d_out, 1) X(value_selecting_reduction_backward, 1) X(values_copy, 1) X(vander, 1) X(var, 1) X(var_mean, 2) X(var_out, 1) \
  X(vdot, 1) X(vdot_out, 1) X(view_as_complex, 1) X(view_as_complex_copy, 1) X(view_as_real, 1) X(view_as_real_copy, 1) X(view_copy, 1) X(vsplit, 1) \
  X(vstack, 1) X(vstack_out, 1) X(where, 1) X(where_out, 1) X(xlogy, 1) X(xlogy_, 1) X(zero_, 1) X(zeros_out, 1)
