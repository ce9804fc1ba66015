package cc

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestReadArchive(t *testing.T) {
	if _, err := exec.LookPath("ar"); err != nil {
		t.Skip("no ar")
	}
	dir := t.TempDir()
	names := []string{"a.o", "a_member_with_a_long_name.o"}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("data of "+name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, flags := range []string{"rc", "rcT"} {
		lib := filepath.Join(dir, "lib"+flags+".a")
		cmd := exec.Command("ar", append([]string{flags, lib}, names...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("ar: %v: %s", err, out)
		}
		members, err := readArchive(lib)
		if err != nil || len(members) != len(names) {
			t.Fatalf("%s: %d members, %v", flags, len(members), err)
		}
		for i, m := range members {
			if m.name != names[i] || string(m.data) != "data of "+names[i] {
				t.Errorf("%s: member %s with %q", flags, m.name, m.data)
			}
		}
		data, err := os.ReadFile(lib)
		if err != nil {
			t.Fatal(err)
		}
		for n := len(arMagic); n < len(data); n++ {
			if err := os.WriteFile(lib, data[:n], 0o666); err != nil {
				t.Fatal(err)
			}
			if got, err := readArchive(lib); err == nil && len(got) == len(names) && n < len(data)-1 {
				t.Errorf("%s cut to %d of %d bytes is read in full", flags, n, len(data))
			}
		}
	}
	script := filepath.Join(dir, "libscript.a")
	if err := os.WriteFile(script, []byte("INPUT(x.so)"), 0o666); err != nil {
		t.Fatal(err)
	}
	if members, err := readArchive(script); err != nil || len(members) != 0 {
		t.Errorf("linker script: %v, %v", members, err)
	}
}

func TestRule(t *testing.T) {
	got := rule([]string{"a.o", "b"}, []string{"a.cu", "with blank.h"}, true)
	want := "a.o b: \\\n  a.cu \\\n  with\\ blank.h\n\nwith\\ blank.h:\n"
	if got != want {
		t.Errorf("rule %q, want %q", got, want)
	}
}

func TestIsArch(t *testing.T) {
	for name, want := range map[string]bool{
		"sm_70": true, "compute_90a": true, "lto_80": true, "native": true, "all": true, "all-major": true,
		"sm_": false, "70": false, "sm_x": false, "gfx900": false, "sm_5": false,
	} {
		if isArch(name) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
}
