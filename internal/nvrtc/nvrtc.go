package nvrtc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/scratch"
)

// Options compiles what a program gives to NVRTC while it runs.
type Options struct {
	// Clang is the compiler, "" for the newest that is installed; Arch and CudaVersion are the run's.
	Clang, Arch, CudaVersion string
	Optimized                bool
}

// Compile is for host.Config. What is wrong with the source is the result's log; the error is a failure of the tools.
func (s Options) Compile(ctx context.Context, src host.Source) (host.Compiled, error) {
	tc, err := clang.Find(s.Clang)
	if err != nil {
		return host.Compiled{}, err
	}
	dir, remove, err := scratch.Dir()
	if err != nil {
		return host.Compiled{}, err
	}
	defer remove()
	written, err := writeRuntimeSource(dir, src)
	if err != nil {
		return host.Compiled{}, err
	}
	file := written.file
	opt := clang.Options{Sources: []string{file}, Includes: written.includes, Arch: s.Arch, NVCCFlags: written.flags,
		WorkDir: dir, DeviceOnly: true, Messages: true}
	if s.CudaVersion != "" {
		opt.NVCCFlags = append(opt.NVCCFlags, "--cuda-version="+s.CudaVersion)
	}
	if s.Optimized {
		opt.Mode = clang.Optimized
	}
	res, err := tc.Build(ctx, opt)
	var ce *clang.CompileError
	var ue *clang.UsageError
	switch {
	case errors.As(err, &ce):
		return host.Compiled{Log: logOf(ce.Text, src.Name, written)}, nil
	case errors.As(err, &ue):
		return host.Compiled{Log: ue.Error()}, nil
	case err != nil:
		return host.Compiled{}, err
	}
	c := host.Compiled{Log: logOf(res.Warnings, src.Name, written)}
	var text string
	text, c.Lowered = loweredNames(string(res.Devices[0].PTX), len(src.Names))
	c.PTX = embedSource([]byte(strings.ReplaceAll(text, file, src.Name)), src.Name, src.Text)
	return c, nil
}

// runtimeSource is a source that was written.
type runtimeSource struct {
	// file is its path, text what the program gave.
	file, text string
	// root is the folder with the program's headers, by the names in headers.
	root    string
	headers map[string]bool
	// names are the name expressions.
	names []string
	// includes are folders of headers, flags the compiler's.
	includes, flags []string
}

// writeRuntimeSource writes the source and its headers.
func writeRuntimeSource(dir string, src host.Source) (runtimeSource, error) {
	root := filepath.Join(dir, "source")
	flags, asDevice := runtimeFlags(src.Options)
	w := runtimeSource{file: filepath.Join(root, filepath.Base(src.Name)), text: src.Text, root: root, headers: map[string]bool{}, names: src.Names,
		includes: []string{root}, flags: flags}
	if filepath.Ext(w.file) != ".cu" {
		w.file += ".cu"
	}
	// assert needs no header there.
	text := "#include <assert.h>\n#line 1\n" + src.Text
	files := map[string]string{}
	if asDevice {
		text = "#include <assert.h>\n" + deviceDefaultBegin + "#line 1\n" + src.Text + "\n" + deviceDefaultEnd
		standard := filepath.Join(dir, "standard")
		w.includes = append(w.includes, standard)
		for _, name := range slices.Concat(standardHeaders, libraryHeaders(src)) {
			files[filepath.Join(standard, name)] = hostHeader(name)
		}
	}
	if len(src.Names) > 0 {
		text += fmt.Sprintf("\n#line %d %q\n", firstName, nameMap)
	}
	for i, e := range src.Names {
		text += fmt.Sprintf("extern \"C\" __device__ __attribute__((used)) const void *%s%d = (const void *)(%s);\n",
			namePrefix, i, address(e))
	}
	files[w.file] = text
	for name, h := range src.Headers {
		if isStandardHeader(name) {
			continue
		}
		path := filepath.Join(root, name)
		if !strings.HasPrefix(path, root+string(filepath.Separator)) {
			return w, fmt.Errorf("the header name %q leaves its directory", name)
		}
		files[path], w.headers[filepath.Clean(name)] = h, true
	}
	in, err := os.OpenRoot(dir) // which is not made again if it was removed meanwhile
	if err != nil {
		return w, err
	}
	defer in.Close()
	for path, t := range files {
		name, err := filepath.Rel(dir, path)
		if err == nil {
			err = in.MkdirAll(filepath.Dir(name), 0o700)
		}
		if err == nil {
			err = in.WriteFile(name, []byte(t), 0o600)
		}
		if err != nil {
			return w, err
		}
	}
	return w, nil
}

// address makes an address of a name expression, which may have an & already.
func address(e string) string { return "&" + strings.TrimLeft(e, "& \t") }

// runtimeFlags maps NVRTC's options to nvcc's ("NVRTC", "Supported Compile
// Options"), most of which are the same; asDevice is set if functions without
// qualifiers are for the device.
func runtimeFlags(options []string) (flags []string, asDevice bool) {
	drop := []string{"-builtin-move-forward", "-builtin-initializer-list", "-no-source-include", "-modify-stack-limit",
		"-version-ident", "-no-cache", "-restrict", "-jump-table-density", "-device-stack-protector", "-minimal", "-split-compile",
		"-ewp", "-pch", "-fdevice-time-trace", "-time", "-opt-info", "-optimization-info", "-diag", "-display-error-number",
		"-no-display-error-number", "-dw", "-device-w"}
	for _, o := range options {
		name, value, _ := strings.Cut("-"+strings.TrimLeft(o, "-"), "=")
		switch {
		case name == "-dc" || name == "-device-c" || name == "-dlto":
			flags = append(flags, "-rdc=true") // its functions are for other modules too
		case name == "-rdc" || name == "-relocatable-device-code":
			flags = append(flags, "-rdc="+value)
		case name == "-device-as-default-execution-space" || name == "-default-device":
			asDevice = true
		case !slices.ContainsFunc(drop, func(d string) bool { return strings.HasPrefix(name, d) }):
			flags = append(flags, o)
		}
	}
	return flags, asDevice
}

// Name expressions are lines of this file in messages, from this one on.
const (
	nameMap   = "__nv_name_map"
	firstName = 2
)

// namePrefix begins the variables whose initial values are the names wanted.
const namePrefix = "__warpgrind_nvrtc_name_"

var nameVariable = regexp.MustCompile(`(?m)^.*\b` + namePrefix + `(\d+)(?:\[\d+\])?\s*=\s*(?:\{\s*)?(?:generic\()?([\w$.]+)\)?[^;\n]*;.*\n`)

// loweredNames takes the variables of name expressions out of PTX and returns
// the n names that they held.
func loweredNames(ptx string, n int) (string, []string) {
	names := make([]string, n)
	for _, m := range nameVariable.FindAllStringSubmatch(ptx, -1) {
		var i int
		if _, err := fmt.Sscan(m[1], &i); err == nil && i < n {
			names[i] = m[2]
		}
	}
	return nameVariable.ReplaceAllString(ptx, "\n"), names
}
