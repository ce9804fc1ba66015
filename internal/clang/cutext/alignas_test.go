package cutext

import "testing"

func TestMovableAlignas(t *testing.T) {
	tests := []struct{ in, want string }{
		{"__shared__ alignas(16) float s[4];", "__shared__ __wg_al(16) float s[4];"},
		{"extern __shared__\talignas(T) char d[];", "extern __shared__\t__wg_al(T) char d[];"},
		{"alignas(16) __shared__ float s[4];", "alignas(16) __shared__ float s[4];"},
		{"struct alignas(8) s {}; __shared__ s alignas_;", "struct alignas(8) s {}; __shared__ s alignas_;"},
	}
	for _, tt := range tests {
		got := SpellInPlace([]byte(tt.in))
		if string(got) != tt.want || len(got) != len(tt.in) {
			t.Errorf("%q becomes %q, want %q", tt.in, got, tt.want)
		}
	}
}
