package instrument

import "testing"

func TestUncommented(t *testing.T) {
	for text, want := range map[string]string{
		"a // barrier\nb":               "a  \nb",
		"a /* bar\nrier */ b":           "a   b",
		`f("// barrier", '"') // x`:     `f("// barrier", '"')  `,
		`"a\"// b" /* c */`:             `"a\"// b"  `,
		"1'000'000 // b":                "1'000'000  ",
		`x R"(// barrier)" /* stays */`: `x R"(// barrier)" /* stays */`,
	} {
		if got := uncommented([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
