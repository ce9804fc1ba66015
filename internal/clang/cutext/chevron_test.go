package cutext

import "testing"

func TestCloseChevrons(t *testing.T) {
	tests := []struct{ in, want string }{
		{"k << < a, b >> > (x);", "k  <<< a, b  >>> (x);"},
		{"k<<<a, b>>>(x); v<v<int> > w;", "k<<<a, b>>>(x); v<v<int> > w;"},
		{"k < << a >>> (x)", "k  <<< a >>> (x)"},
		{"x << 3; cout << a << b;", "x << 3; cout << a << b;"},
	}
	for _, tt := range tests {
		if got := SpellInPlace([]byte(tt.in)); string(got) != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.in, got, tt.want)
		}
	}
}
