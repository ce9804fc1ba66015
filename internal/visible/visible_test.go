package visible

import "testing"

func TestText(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Line("a.cu:12: x < y && 3 % 2"), "a.cu:12: x < y && 3 % 2"},
		{Line("\x1b[2Jä\u202e\n\x9b"), `\x1b[2Jä\u{202e} \x9b`},
		{Lines("a\tb\r\nc\r"), "a\tb\nc\\x0d"},
		{Sprintf("%s\n", "::error::x"), "\\::error::x\n"},
		{Sprintf("warning: %s\n", "a\n::error::x"), "warning: a ::error::x\n"},
		{Sprintf("%s\n", "##[add-mask]e"), "##\\[add-mask]e\n"},
		{Sprintf("%s\n", Trusted("\x1b[1m")+"x"), "\x1b[1mx\n"},
		{Log("one\n  ::add-mask::e\nstd::vector\n::std"), "one\n  \\::add-mask::e\nstd::vector\n\\::std"},
		{Data("a\n##vso[x]%\x1b"), `a%0A##vso\[x]%25\x1b`},
		{Property("a:b,c"), "a%3Ab%2Cc"},
		{string(JSON([]byte(`{"x": "##[e]` + "\u009b\U000e0041" + `"}`))), `{"x": "##\u005be]\u009b\udb40\udc41"}`},
		{string(XML([]byte("<a>\n ::error::##[x]</a>"))), "<a>\n &#x3a;:error::##&#x5b;x]</a>"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
