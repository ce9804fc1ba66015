package instrument_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/instrument"
)

// TestOnlyHooks takes the hooks out of the output again: what is left is the
// source, token for token, once both are preprocessed.
func TestOnlyHooks(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles many programs; not in short mode")
	}
	paths, err := filepath.Glob(filepath.Join(data, "language/*.cu"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no sources", err)
	}
	schemes := []string{"boyer-race", "coalesce"}
	for i, path := range paths {
		for k, scheme := range schemes {
			if i%len(schemes) != k && os.Getenv("WARPGRIND_LONG_TESTS") == "" {
				continue
			}
			t.Run(filepath.Base(path)+"/"+scheme, func(t *testing.T) {
				t.Parallel()
				out, res := rewrite(t, path, instrument.Options{Scheme: scheme})
				folder := filepath.Base(out) + ".d"
				texts := map[string][]byte{}
				for _, f := range res.Files {
					name := original(t, path, out, f.Path)
					if name == "" {
						continue
					}
					texts[name] = []byte(unhook(t, string(f.Text), folder))
					if bytes.Contains(texts[name], []byte("wgi_")) {
						t.Errorf("a hook is left in\n%s", texts[name])
					}
				}
				want, got := tokens(t, path, nil), tokens(t, path, texts)
				for i, line := range want {
					if i >= len(got) || got[i] != line {
						t.Fatalf("token %d is not %q:\n%s\nin the source\n%s", i, line, near(got, i), near(want, i))
					}
				}
				if len(got) != len(want) {
					t.Errorf("%d tokens, the source has %d", len(got), len(want))
				}
			})
		}
	}
}

// original names the file that an output is a copy of, "" if it is one of ours.
func original(t *testing.T, source, out, file string) string {
	t.Helper()
	name, inFolder := strings.CutPrefix(file, out+".d"+string(filepath.Separator))
	switch {
	case !inFolder:
		name = filepath.Base(source)
	case strings.HasPrefix(name, "warpgrind"):
		return ""
	}
	abs, err := filepath.Abs(filepath.Join(filepath.Dir(source), name))
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

var (
	hookBegin  = regexp.MustCompile(`^wgi\d*_\w+?(<\d>)?\(\d+, (wgi_i\d+, )?`)
	hookStart  = regexp.MustCompile(` wgi_(kernel|kernel_all) wgi_k\(\d+\);| wgi_start\(\);`)
	hookPassed = regexp.MustCompile(`, wgi_barrier\(\d+\)$`)
	hookAsm    = regexp.MustCompile(`(?s)do \{ (asm.*?); wgi_barrier\(\d+\); \} while \(0\)`)
)

// unhook takes out what was put into a file.
func unhook(t *testing.T, text, folder string) string {
	t.Helper()
	_, text, _ = strings.Cut(text, "#line 1 ")
	_, text, _ = strings.Cut(text, "\n")
	text = strings.TrimSuffix(text, `#include "`+folder+`/warpgrind_sites.inc"`+"\n")
	text = strings.ReplaceAll(text, `"`+folder+`/`, `"`)
	return unwrap(t, hookAsm.ReplaceAllString(hookStart.ReplaceAllString(text, ""), "$1"))
}

// unwrap takes out what stands around expressions.
func unwrap(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	for i := 0; i < len(text); {
		if n := literal(text[i:]); n > 0 {
			b.WriteString(text[i : i+n])
			i += n
			continue
		}
		if n := len(hookBegin.FindString(text[i:])); n > 0 && (i == 0 || !wordByte(text[i-1])) {
			end := closing(t, text, i+n)
			b.WriteString(unwrap(t, text[i+n:end]))
			i = end + 1
			continue
		}
		if text[i] == '(' {
			end := closing(t, text, i+1)
			inner := text[i+1 : end]
			if rest := hookPassed.ReplaceAllString(strings.TrimPrefix(inner, "wgi_flush(), "), ""); rest != inner {
				b.WriteString(unwrap(t, rest))
			} else {
				b.WriteString("(" + unwrap(t, inner) + ")")
			}
			i = end + 1
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// literals are comments, strings and characters.
var literals = regexp.MustCompile(`^(?s:/\*.*?\*/|//[^\n]*|R"(\w*)\(.*?\)\w*"|"([^"\\\n]|\\.)*"|'([^'\\\n]|\\.)*')`)

func literal(text string) int { return len(literals.FindString(text)) }

// closing finds the parenthesis that closes one before at.
func closing(t *testing.T, text string, at int) int {
	t.Helper()
	for depth := 1; at < len(text); {
		if n := literal(text[at:]); n > 0 {
			at += n
			continue
		}
		switch text[at] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return at
			}
		}
		at++
	}
	t.Fatal("parentheses do not match")
	return 0
}

var (
	lineMarkers = regexp.MustCompile(`(?m)^#.*$`)
	token       = regexp.MustCompile(`"([^"\\]|\\.)*"|\w+|\S`)
)

// tokens are those of the device side of a source.
func tokens(t *testing.T, path string, texts map[string][]byte) []string {
	t.Helper()
	r, err := toolchain(t).Reader(clang.Options{Sources: []string{path}, Std: standard(t, path), WorkDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Preprocess(context.Background(), texts, true)
	if err != nil {
		t.Fatal(err)
	}
	if at := bytes.LastIndex(text, []byte("cuda_runtime.h\" 2")); at >= 0 { // what CUDA's headers have is the same
		_, text, _ = bytes.Cut(text[at:], []byte("\n"))
	}
	return token.FindAllString(lineMarkers.ReplaceAllString(string(text), ""), -1)
}

func near(tokens []string, i int) string {
	return strings.Join(tokens[max(0, min(i-12, len(tokens))):min(i+12, len(tokens))], " ")
}

// TestConversion: an implicit conversion to a reference is told, one that is
// written is watched.
func TestConversion(t *testing.T) {
	main := source(t, map[string]string{"a.cu": `struct Ref { int &r; __device__ operator int &() const { return r; } };
__global__ void k(int *out) {
  __shared__ int s[32];
  Ref ref{s[threadIdx.x]};
  static_cast<int &>(ref) = 1;
  *out = ref + 1;
}
int main() {}
`})
	_, res := rewrite(t, main, instrument.Options{})
	if got := text(t, res, "out.cu"); !strings.Contains(got, "wgi_w(0, static_cast<int &>(ref)) = 1;") || !strings.Contains(got, "*out = ref + 1;") {
		t.Errorf("got\n%s", got)
	}
	if len(res.Messages) != 1 || !strings.HasSuffix(res.Messages[0], "a.cu:6: what an implicit conversion refers to is not watched") {
		t.Errorf("messages %q", res.Messages)
	}
}
