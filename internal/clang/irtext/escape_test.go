package irtext

import "testing"

// TestUnescape has the escapes of LLVM's printer: \\, and two hexadecimal digits for what is not printable and for quotes.
func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{"a": "a", `a\0Db`: "a\rb", `a\22b\5Cc`: `a"b\c`, `a\\22`: `a\22`, `\\\\`: `\\`, `\`: `\`, `\zz`: `\zz`} {
		if got := unescape(in); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}
