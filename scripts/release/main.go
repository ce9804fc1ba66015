// Command release builds what a version is published as, in one folder: static binaries in
// archives, deb and rpm packages, a Python wheel, a Homebrew formula, the list of what is in
// them (SBOM), checksums, and a container image where podman or docker is installed.
//
//	go run ./scripts/release -o dist
//	go run ./scripts/release -o dist -only wheel,sbom
//
// The same commit gives the same bytes: times are the commit's.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/warpgrind/warpgrind/internal/session"
)

// release is one run.
type release struct {
	dir, version, commit string
	when                 time.Time
	targets              []*target
}

// target is an architecture that is published for.
type target struct {
	*release
	arch   string // as Go and Debian name it
	wheel  string // as Python's platform tags name it
	binary string // the executable
}

// part is something that is published: once for each target, or once.
type part struct {
	name string
	each func(*target) error
	once func(*release) error
}

// parts are built in this order; checksums come last, as they are those of all others.
var parts = []part{
	{name: "archive", each: (*target).archives},
	{name: "deb", each: func(t *target) error { return t.nfpm("deb") }},
	{name: "rpm", each: func(t *target) error { return t.nfpm("rpm") }},
	{name: "wheel", each: (*target).writeWheel},
	{name: "homebrew", once: (*release).homebrew},
	{name: "sbom", each: (*target).sbom},
	{name: "image", once: (*release).image},
}

// build makes a part.
func (p part) build(r *release) error {
	if p.once != nil {
		return p.once(r)
	}
	for _, t := range r.targets {
		if err := p.each(t); err != nil {
			return fmt.Errorf("%s: %w", t.arch, err)
		}
	}
	return nil
}

func main() {
	out := flag.String("o", "dist", "folder for the results")
	only := flag.String("only", "", "comma-separated parts to build: archive, deb, rpm, wheel, homebrew, sbom, image (default: all)")
	flag.Parse()
	if err := run(*out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(out, only string) error {
	r, err := prepare(out)
	if err != nil {
		return err
	}
	var want []string
	if only != "" {
		want = strings.Split(only, ",")
	}
	for _, w := range want {
		if !slices.ContainsFunc(parts, func(p part) bool { return p.name == w }) {
			return fmt.Errorf("-only %s: no such part", w)
		}
	}
	for _, p := range parts {
		if want != nil && !slices.Contains(want, p.name) {
			continue
		}
		fmt.Println("building", p.name)
		if err := p.build(r); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return r.checksums()
}

// prepare builds the executables and finds out what it is built from.
func prepare(out string) (*release, error) {
	dir, err := filepath.Abs(out)
	if err != nil {
		return nil, err
	}
	r := &release{dir: dir, version: session.Version}
	if r.commit, err = output("git", "rev-parse", "HEAD"); err != nil {
		return nil, err
	}
	seconds, err := output("git", "log", "-1", "--format=%ct")
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, err
	}
	r.when = time.Unix(n, 0).UTC()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	r.targets = []*target{{release: r, arch: "amd64", wheel: "x86_64"}, {release: r, arch: "arm64", wheel: "aarch64"}}
	for _, t := range r.targets {
		t.binary = filepath.Join(dir, "bin", t.arch, "warpgrind")
		if err := t.compile(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// compile builds the static executable.
func (t *target) compile() error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid= -X github.com/warpgrind/warpgrind/internal/session.commit="+t.commit,
		"-o", t.binary, "./cmd/warpgrind")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+t.arch)
	return show(cmd)
}

// image builds the container image where there is a builder.
func (r *release) image() error {
	for _, builder := range []string{"podman", "docker"} {
		if exec.Command(builder, "info").Run() != nil {
			continue
		}
		name := "warpgrind:" + r.version
		if err := show(exec.Command(builder, "build", "-t", name, "-f", "Containerfile", "--label", "org.opencontainers.image.revision="+r.commit, ".")); err != nil {
			return err
		}
		return show(exec.Command(builder, "save", "-o", filepath.Join(r.dir, "warpgrind-"+r.version+"-image.tar"), name))
	}
	fmt.Println("no image: neither podman nor docker runs here")
	return nil
}

// output runs a command and returns what it writes, without the last newline.
func output(name string, args ...string) (string, error) {
	b, err := exec.Command(name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(b)), nil
}

// show runs a command whose output is the user's.
func show(cmd *exec.Cmd) error {
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return nil
}
