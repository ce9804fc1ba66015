package clang

import (
	"slices"
	"strings"
	"testing"
)

func TestArchMacros(t *testing.T) {
	for _, tt := range []struct {
		name string
		sm   int
		want string
	}{
		{"sm_80", 80, ""},
		{"sm_90", 90, ""},
		{"sm_20", 35, ""},
		{"sm_89", 86, "-Wno-builtin-macro-redefined -U__CUDA_ARCH__ -D__CUDA_ARCH__=890"},
		{"sm_90a", 90, "-D__CUDA_ARCH_FEAT_SM90_ALL -D__CUDA_ARCH_SPECIFIC__=900 -D__CUDA_ARCH_FAMILY_SPECIFIC__=900"},
		{"compute_100f", 100, "-D__CUDA_ARCH_FAMILY_SPECIFIC__=1000"},
		{"sm_103", 90, "-Wno-builtin-macro-redefined -U__CUDA_ARCH__ -D__CUDA_ARCH__=1030"},
		{"sm_120a", 90, "-Wno-builtin-macro-redefined -U__CUDA_ARCH__ -D__CUDA_ARCH__=1200 -D__CUDA_ARCH_FEAT_SM120_ALL -D__CUDA_ARCH_SPECIFIC__=1200 -D__CUDA_ARCH_FAMILY_SPECIFIC__=1200"},
		{"native", 80, ""},
	} {
		if got := archMacros(tt.name, tt.sm); !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%s at %d: %q", tt.name, tt.sm, got)
		}
	}
}
