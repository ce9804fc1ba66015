package clang

import (
	"context"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/fallback"
)

// TestLinker: LLD links where it is installed, unless the user names a linker or LLD does not
// know an option.
func TestLinker(t *testing.T) {
	tc := toolchain(t)
	if _, err := tc.lld(); err != nil {
		t.Skip("LLD is not installed")
	}
	object := filepath.Join(t.TempDir(), "a.o")
	if out, err := exec.Command(tc.Clang, "-x", "c", "-c", "-o", object, write(t, "a.c", "int main(void) { return 0; }\n")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, c := range []struct {
		options []string
		lld     bool
		counted int
	}{
		{nil, true, 0},
		{[]string{"-Wl,--as-needed"}, true, 0},
		{[]string{"-fuse-ld=bfd"}, false, 0},
		{[]string{"-Wl,--no-ld-generated-unwind-info"}, false, 1}, // an option of GNU ld alone
	} {
		since := fallback.Now()
		program := filepath.Join(t.TempDir(), "program")
		if _, err := tc.Link(context.Background(), LinkJob{Output: program, Args: append([]string{object}, c.options...)}); err != nil {
			t.Errorf("%v: %v", c.options, err)
			continue
		}
		if list := fallback.Since(since); len(list) != c.counted {
			t.Errorf("%v: fallbacks %+v", c.options, list)
		}
		f, err := elf.Open(program)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		comment, err := f.Section(".comment").Data()
		if lld := strings.Contains(string(comment), "LLD"); lld != c.lld || err != nil {
			t.Errorf("%v: linked by LLD is %v, want %v (%v)", c.options, lld, c.lld, err)
		}
	}
}

// TestLinkHostOptions: the host compiler's options come to the link as well, but for those that clang does not know,
// and what it says is returned each time.
func TestLinkHostOptions(t *testing.T) {
	tc := toolchain(t)
	object := filepath.Join(t.TempDir(), "a.o")
	if out, err := exec.Command(tc.Clang, "-x", "c", "-c", "-o", object, write(t, "a.c", "int main(void) { return 0; }\n")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	link := func(host ...string) string {
		said, err := tc.Link(context.Background(), LinkJob{Output: filepath.Join(t.TempDir(), "program"), Args: []string{object}, Host: host})
		if err != nil {
			t.Errorf("%v: %v", host, err)
		}
		return said
	}
	if said := link("-Wall", "-fno-option-of-gcc-alone"); said != "" {
		t.Errorf("without a word of the linker: %q", said)
	}
	for range 2 {
		if said := link("-fno-option-of-gcc-alone", "-v"); !strings.Contains(said, "-dynamic-linker") {
			t.Errorf("-v: %q", said)
		}
	}
}

// TestWithoutLLD: the system's linker takes the place of LLD where the compiler has none, and that is counted.
func TestWithoutLLD(t *testing.T) {
	tc := *toolchain(t)
	object := filepath.Join(t.TempDir(), "a.o")
	if out, err := exec.Command(tc.Clang, "-x", "c", "-c", "-o", object, write(t, "a.c", "int main(void) { return 0; }\n")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	tc.Clang = write(t, "clang", "#!/bin/sh\nexec "+tc.Clang+" \"$@\"\n")
	if err := os.Chmod(tc.Clang, 0o755); err != nil {
		t.Fatal(err)
	}
	since := fallback.Now()
	if _, err := tc.Link(context.Background(), LinkJob{Output: filepath.Join(t.TempDir(), "program"), Args: []string{object}}); err != nil {
		t.Fatal(err)
	}
	if list := fallback.Since(since); len(list) != 1 || list[0].Way != fallback.Linker || !strings.Contains(list[0].Reasons[0], "ld.lld") {
		t.Errorf("fallbacks %+v", list)
	}
}
