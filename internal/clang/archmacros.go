package clang

import "strconv"

// archMacros are the options by which device code for an architecture sees the macros that
// nvcc defines, where sm is what clang compiles for: the architecture may be newer than clang,
// and its name may end in a, for what only it has, or f, for what its family has (CUDA C++
// Programming Guide, "Feature Availability").
func archMacros(name string, sm int) []string {
	n, feature := splitArch(name)
	number, value := strconv.Itoa(n), strconv.Itoa(10*n)
	var out []string
	if n > sm {
		out = append(out, "-Wno-builtin-macro-redefined", "-U__CUDA_ARCH__", "-D__CUDA_ARCH__="+value)
	}
	switch feature {
	case "a":
		out = append(out, "-D__CUDA_ARCH_FEAT_SM"+number+"_ALL", "-D__CUDA_ARCH_SPECIFIC__="+value, "-D__CUDA_ARCH_FAMILY_SPECIFIC__="+value)
	case "f":
		out = append(out, "-D__CUDA_ARCH_FAMILY_SPECIFIC__="+value)
	}
	return out
}
