package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// nfpmTool makes deb and rpm packages. The version is the newest that the module proxy can
// build completely.
const nfpmTool = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.41.3"

// nfpmConfig describes both packages. What is compiled at installation is removed with the
// package.
const nfpmConfig = `name: warpgrind
arch: %[1]s
platform: linux
version: %[2]s
maintainer: the warpgrind authors <warpgrind@users.noreply.github.com>
description: Check CUDA programs on machines without a GPU
homepage: https://github.com/warpgrind/warpgrind
license: MIT
section: devel
mtime: %[3]s
contents:
  - src: %[4]s
    dst: /usr/bin/warpgrind
    file_info: {mode: 0755}
  - src: docs/man/*.1
    dst: /usr/share/man/man1/
    file_info: {mode: 0644}
  - src: LICENSE
    dst: /usr/share/doc/warpgrind/copyright
    file_info: {mode: 0644}
  - dst: /var/lib/warpgrind
    type: dir
    file_info: {mode: 0755}
scripts:
  postinstall: scripts/release/postinst.sh
  preremove: scripts/release/prerm.sh
overrides:
  deb:
    depends: ["clang-19 | clang (>= 1:15)", "llvm-19 | llvm (>= 1:15)", g++]
    recommends: [z3, lld-19 | lld]
  rpm:
    depends: [clang >= 15, llvm >= 15, gcc-c++]
    recommends: [z3, lld]
`

// nfpm makes a package of one kind.
func (t *target) nfpm(kind string) error {
	config := filepath.Join(t.dir, "bin", "nfpm.yaml")
	text := fmt.Sprintf(nfpmConfig, t.arch, t.version, t.when.Format("2006-01-02T15:04:05Z"), t.binary)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		return err
	}
	cmd := exec.Command("go", "run", nfpmTool, "pkg", "-f", config, "-p", kind, "-t", t.dir)
	cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", t.when.Unix()))
	return show(cmd)
}

// wheelPlatforms are the platform tags: the executable is static, so that any C library does.
func (t *target) wheelPlatforms() []string {
	return []string{"manylinux2014_" + t.wheel, "musllinux_1_1_" + t.wheel}
}

const wheelMetadata = `Metadata-Version: 2.1
Name: warpgrind
Version: %s
Summary: Check CUDA programs on machines without a GPU
Home-page: https://github.com/warpgrind/warpgrind
License: MIT
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Software Development :: Debuggers
Requires-Python: >=3.7
Description-Content-Type: text/markdown

`

// writeWheel writes a Python wheel that carries the executable as its script, for
// "pipx run warpgrind" and "pip install warpgrind" ("Binary distribution format", PyPA).
func (t *target) writeWheel() error {
	binary, err := os.ReadFile(t.binary)
	if err != nil {
		return err
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		return err
	}
	license, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	base := "warpgrind-" + t.version
	info := base + ".dist-info/"
	var wheel strings.Builder
	wheel.WriteString("Wheel-Version: 1.0\nGenerator: warpgrind scripts/release\nRoot-Is-Purelib: false\n")
	for _, platform := range t.wheelPlatforms() {
		wheel.WriteString("Tag: py3-none-" + platform + "\n")
	}
	var b bytes.Buffer
	w := &wheelWriter{zip: zip.NewWriter(&b), r: t.release}
	w.zip.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestCompression) })
	w.add(base+".data/scripts/warpgrind", binary, 0o755)
	w.add(info+"METADATA", append(fmt.Appendf(nil, wheelMetadata, t.version), readme...), 0o644)
	w.add(info+"WHEEL", []byte(wheel.String()), 0o644)
	w.add(info+"LICENSE", license, 0o644)
	w.add(info+"RECORD", []byte(w.record.String()+info+"RECORD,,\n"), 0o644)
	if w.err == nil {
		w.err = w.zip.Close()
	}
	if w.err != nil {
		return w.err
	}
	return os.WriteFile(filepath.Join(t.dir, base+"-py3-none-"+strings.Join(t.wheelPlatforms(), ".")+".whl"), b.Bytes(), 0o644)
}

// wheelWriter adds files to a wheel and keeps its record of them.
type wheelWriter struct {
	zip    *zip.Writer
	r      *release
	record strings.Builder
	err    error
}

func (w *wheelWriter) add(name string, data []byte, mode os.FileMode) {
	if w.err != nil {
		return
	}
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: w.r.when}
	h.SetMode(mode)
	f, err := w.zip.CreateHeader(h)
	if err == nil {
		_, err = f.Write(data)
	}
	sum := sha256.Sum256(data)
	fmt.Fprintf(&w.record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
	w.err = err
}
