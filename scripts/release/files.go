package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// archiveName is the name of the archive with the executable, without .tar.gz.
func (t *target) archiveName() string { return "warpgrind-" + t.version + "-linux-" + t.arch }

// archives writes the executable with its manual pages and license.
func (t *target) archives() error {
	pages, err := filepath.Glob("docs/man/*.1")
	if err != nil {
		return err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	tw := tar.NewWriter(z)
	add := func(name, from string, mode int64) error {
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		h := &tar.Header{Name: t.archiveName() + "/" + name, Mode: mode, Size: int64(len(data)), ModTime: t.when, Format: tar.FormatUSTAR}
		if err := tw.WriteHeader(h); err != nil {
			return err
		}
		_, err = tw.Write(data)
		return err
	}
	err = add("bin/warpgrind", t.binary, 0o755)
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		if err == nil {
			err = add(name, name, 0o644)
		}
	}
	for _, p := range pages {
		if err == nil {
			err = add("share/man/man1/"+filepath.Base(p), p, 0o644)
		}
	}
	for _, end := range []func() error{tw.Close, z.Close} {
		if err == nil {
			err = end()
		}
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(t.dir, t.archiveName()+".tar.gz"), b.Bytes(), 0o644)
}

const formula = `class Warpgrind < Formula
  desc "Check CUDA programs on machines without a GPU"
  homepage "https://github.com/warpgrind/warpgrind"
  version "%s"
  license "MIT"

%s
  depends_on :linux
  depends_on "llvm"
  depends_on "z3"

  def install
    bin.install "bin/warpgrind"
    man1.install Dir["share/man/man1/*"]
  end

  def caveats
    "Run \"warpgrind setup\" once to build the runtime library."
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/warpgrind --version")
  end
end
`

// formulaSource is where a formula gets the archive for an architecture.
const formulaSource = `  on_%s do
    url "https://github.com/warpgrind/warpgrind/releases/download/v%s/%s.tar.gz"
    sha256 "%s"
  end
`

// homebrew writes the formula for the archives.
func (r *release) homebrew() error {
	var sources strings.Builder
	for _, t := range r.targets {
		archive := filepath.Join(r.dir, t.archiveName()+".tar.gz")
		if _, err := os.Stat(archive); err != nil {
			if err := t.archives(); err != nil {
				return err
			}
		}
		sum, err := digest(archive)
		if err != nil {
			return err
		}
		processor := map[string]string{"amd64": "intel", "arm64": "arm"}[t.arch]
		fmt.Fprintf(&sources, formulaSource, processor, r.version, t.archiveName(), sum)
	}
	return os.WriteFile(filepath.Join(r.dir, "warpgrind.rb"), fmt.Appendf(nil, formula, r.version, sources.String()), 0o644)
}

// component is a module in a CycloneDX list.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
}

func module(kind, path, version string) component {
	return component{kind, path, version, "pkg:golang/" + path + "@" + version}
}

// sbom writes the modules that are linked into the executable, and the Go that built it, as
// CycloneDX 1.5 ("CycloneDX Specification").
func (t *target) sbom() error {
	info, err := buildinfo.ReadFile(t.binary)
	if err != nil {
		return err
	}
	list := []component{module("library", "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		list = append(list, module("library", d.Path, d.Version))
	}
	sum, err := digest(t.binary)
	if err != nil {
		return err
	}
	bom := map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata": map[string]any{
			"timestamp": t.when.Format("2006-01-02T15:04:05Z"),
			"component": map[string]any{
				"type": "application", "name": "warpgrind", "version": t.version, "purl": "pkg:golang/" + info.Main.Path + "@v" + t.version,
				"hashes":   []map[string]string{{"alg": "SHA-256", "content": sum}},
				"licenses": []map[string]any{{"license": map[string]string{"id": "MIT"}}},
			},
		},
		"components": list,
	}
	b, err := json.MarshalIndent(bom, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(t.dir, t.archiveName()+".cdx.json"), append(b, '\n'), 0o644)
}

// checksums writes the list of all files that are published.
func (r *release) checksums() error {
	const name = "SHA256SUMS"
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	var lines []string
	for _, e := range entries {
		if !e.Type().IsRegular() || e.Name() == name {
			continue
		}
		sum, err := digest(filepath.Join(r.dir, e.Name()))
		if err != nil {
			return err
		}
		lines = append(lines, sum+"  "+e.Name()+"\n")
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[66:], b[66:]) })
	return os.WriteFile(filepath.Join(r.dir, name), []byte(strings.Join(lines, "")), 0o644)
}

func digest(file string) (string, error) {
	data, err := os.ReadFile(file)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}
