//go:build toolchains

package tree

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// out runs a command and returns what it writes.
func out(t *testing.T, name string, args ...string) string {
	t.Helper()
	b, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, b)
	}
	return string(b)
}

// TestToolchainRelease builds what a version is published as, as far as this machine can, installs
// it and runs the executable out of it.
func TestToolchainRelease(t *testing.T) {
	dir := t.TempDir()
	only := "archive,wheel,homebrew,sbom"
	nfpm := exec.Command("go", "list", "-m", "github.com/goreleaser/nfpm/v2@v2.41.3")
	nfpm.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod")
	packages := nfpm.Run() == nil
	if packages {
		only += ",deb,rpm"
	}
	out(t, "go", "run", "./scripts/release", "-o", dir, "-only", only)
	version := regexp.MustCompile(`^warpgrind version ([\d.]+) \(commit [0-9a-f]{12}\)\n$`)
	runs := func(binary string) string {
		t.Helper()
		text := out(t, binary, "--version")
		m := version.FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("%s --version: %q", binary, text)
		}
		return m[1]
	}
	v := runs(filepath.Join(dir, "bin", runtime.GOARCH, "warpgrind"))
	at := func(name string) string { return filepath.Join(dir, strings.ReplaceAll(name, "VERSION", v)) }

	t.Run("archive", func(t *testing.T) {
		to := t.TempDir()
		out(t, "tar", "-C", to, "-xzf", at("warpgrind-VERSION-linux-amd64.tar.gz"))
		base := filepath.Join(to, "warpgrind-"+v+"-linux-amd64")
		runs(filepath.Join(base, "bin", "warpgrind"))
		if _, err := os.Stat(filepath.Join(base, "share", "man", "man1", "warpgrind-run.1")); err != nil {
			t.Error(err)
		}
	})
	t.Run("wheel", func(t *testing.T) {
		wheel := at("warpgrind-VERSION-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl")
		if list := out(t, "python3", "-m", "zipfile", "-l", wheel); !strings.Contains(list, "warpgrind-"+v+".data/scripts/warpgrind") || !strings.Contains(list, "RECORD") {
			t.Error(list)
		}
		if exec.Command("python3", "-m", "pip", "--version").Run() != nil {
			t.Skip("no pip is installed")
		}
		to := t.TempDir()
		out(t, "python3", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", "--root-user-action=ignore", "--target", to, wheel)
		runs(filepath.Join(to, "bin", "warpgrind"))
	})
	t.Run("arm64", func(t *testing.T) {
		names := []string{"warpgrind-VERSION-linux-arm64.tar.gz", "warpgrind-VERSION-linux-arm64.cdx.json",
			"warpgrind-VERSION-py3-none-manylinux2014_aarch64.musllinux_1_1_aarch64.whl"}
		if packages {
			names = append(names, "warpgrind_VERSION_arm64.deb", "warpgrind-VERSION-1.aarch64.rpm")
		}
		for _, name := range names {
			if _, err := os.Stat(at(name)); err != nil {
				t.Error(err)
			}
		}
		f, err := elf.Open(filepath.Join(dir, "bin", "arm64", "warpgrind"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if libraries, err := f.ImportedLibraries(); f.Machine != elf.EM_AARCH64 || len(libraries) > 0 {
			t.Errorf("machine %v, libraries %v (%v)", f.Machine, libraries, err)
		}
	})
	t.Run("deb", func(t *testing.T) {
		if !packages {
			t.Skip("nfpm is not among the downloaded modules")
		}
		if _, err := exec.LookPath("dpkg-deb"); err != nil {
			t.Skip("no dpkg-deb is installed")
		}
		deb, to := at("warpgrind_VERSION_amd64.deb"), t.TempDir()
		for _, want := range []string{"Package: warpgrind", "Version: " + v, "Depends: clang-19 | clang", "postinst"} {
			if info := out(t, "dpkg-deb", "-I", deb); !strings.Contains(info, want) {
				t.Errorf("no %q in\n%s", want, info)
			}
		}
		out(t, "dpkg-deb", "-x", deb, to)
		runs(filepath.Join(to, "usr", "bin", "warpgrind"))
	})
	t.Run("lists", func(t *testing.T) {
		check := exec.Command("sha256sum", "-c", "--quiet", "SHA256SUMS")
		check.Dir = dir
		if b, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s", b)
		}
		var bom struct {
			BOMFormat  string
			Components []struct{ Name, Version, PURL string }
		}
		b, err := os.ReadFile(at("warpgrind-VERSION-linux-amd64.cdx.json"))
		if err == nil {
			err = json.Unmarshal(b, &bom)
		}
		if err != nil || bom.BOMFormat != "CycloneDX" || !bytes.Contains(b, []byte("pkg:golang/github.com/spf13/cobra@v")) {
			t.Errorf("%v: %s", err, b)
		}
		rb, err := os.ReadFile(at("warpgrind.rb"))
		if err != nil {
			t.Fatal(err)
		}
		list, err := os.ReadFile(at("SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		sums := regexp.MustCompile(`/v\S+/(\S+\.tar\.gz)"\n +sha256 "([0-9a-f]{64})"`).FindAllSubmatch(rb, -1)
		if len(sums) != 2 {
			t.Errorf("the formula has %d archives\n%s", len(sums), rb)
		}
		for _, m := range sums {
			if !bytes.Contains(list, fmt.Appendf(nil, "%s  %s\n", m[2], m[1])) {
				t.Errorf("%s: the formula's checksum is not the archive's\n%s\n%s", m[1], rb, list)
			}
		}
	})
}
