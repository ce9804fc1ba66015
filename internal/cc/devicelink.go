package cc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/ptx/link"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// Device code is linked when the program starts: every object registers its
// module with the runtime. What remains for the link is to look for symbols
// that nothing defines, and to make the host's linker take those members of
// archives that only device code needs.

// deviceModule is a module of relocatable device code.
type deviceModule struct {
	// file is the object, "lib.a:member.o" in an archive.
	file string
	// symbol is the one that its host object defines.
	symbol string
	text   []byte
	*link.Symbols
	archive, taken bool
}

// resolver is the search for symbols.
type resolver struct {
	modules []*deviceModule
	defined map[string]string // symbol: file
}

// neededModules returns the symbols of the members of archives that device
// code needs. Errors are those of nvlink: an undefined symbol, or one that is
// defined twice.
func (d *driver) neededModules(files []string) ([]string, error) {
	_, needed, err := d.resolve(files)
	return needed, err
}

// resolve is the search for symbols among files and libraries, and the members of archives that it found.
func (d *driver) resolve(files []string) (r *resolver, needed []string, err error) {
	r = &resolver{defined: map[string]string{}}
	for _, f := range slices.Concat(files, d.libraries()) {
		if err := r.read(f); err != nil {
			return nil, nil, err
		}
	}
	for _, m := range r.modules {
		if !m.archive {
			if err := r.take(m); err != nil {
				return nil, nil, err
			}
		}
	}
	for again := true; again; {
		again = false
		for _, m := range r.modules {
			if m.archive && !m.taken && r.wants(m) {
				if err := r.take(m); err != nil {
					return nil, nil, err
				}
				needed = append(needed, m.symbol)
				again = true
			}
		}
	}
	return r, needed, r.undefined()
}

// libraries are the static libraries that -l finds in the folders of -L.
func (d *driver) libraries() []string {
	var dirs, found []string
	for _, w := range d.cmd.LinkLine {
		if dir, ok := strings.CutPrefix(w.Word, "-L"); ok && w.Input < 0 {
			dirs = append(dirs, dir)
		}
	}
	for _, w := range d.cmd.LinkLine {
		name, ok := strings.CutPrefix(w.Word, "-l")
		if !ok || w.Input >= 0 {
			continue
		}
		for _, dir := range dirs {
			path := filepath.Join(dir, "lib"+name+".a")
			if _, err := os.Stat(path); err == nil {
				found = append(found, path)
				break
			}
		}
	}
	return found
}

// read gathers the modules of an object or an archive. Other files have none.
func (r *resolver) read(path string) error {
	if filepath.Ext(path) != ".a" {
		data, err := userfile.Read(path)
		if err != nil {
			return &nvcc.Error{Text: fmt.Sprintf("Could not open input file '%s': %v", path, err)}
		}
		return r.object(path, data, false)
	}
	members, err := readArchive(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, m := range members {
		if err := r.object(path+":"+m.name, m.data, true); err != nil {
			return err
		}
	}
	return nil
}

func (r *resolver) object(file string, data []byte, archive bool) error {
	mods, err := clang.RelocatableModules(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, m := range mods {
		symbols, err := link.Scan(link.Part{Name: file, Text: m.PTX})
		if err != nil {
			return err
		}
		r.modules = append(r.modules, &deviceModule{file: file, symbol: m.Symbol, text: m.PTX, Symbols: symbols, archive: archive})
	}
	return nil
}

// take makes a module part of the program.
func (r *resolver) take(m *deviceModule) error {
	m.taken = true
	for _, s := range m.Defined {
		if first, dup := r.defined[s]; dup {
			e := &link.DuplicateError{Symbol: s, First: first, Second: m.file}
			return &clang.CompileError{Stage: "device link", Text: "nvlink error   : " + e.Error()}
		}
		r.defined[s] = m.file
	}
	for _, s := range m.Weak {
		if r.defined[s] == "" {
			r.defined[s] = m.file
		}
	}
	return nil
}

// wants reports whether a module defines what another one misses. Which members
// of archives the host's linker will take is not known here, so any of them
// counts.
func (r *resolver) wants(m *deviceModule) bool {
	for _, s := range slices.Concat(m.Defined, m.Weak) {
		if r.defined[s] != "" {
			continue
		}
		for _, other := range r.modules {
			if slices.Contains(other.Undefined, s) {
				return true
			}
		}
	}
	return false
}

func (r *resolver) undefined() error {
	var text strings.Builder
	for _, m := range r.modules {
		for _, s := range m.Undefined {
			if m.taken && r.defined[s] == "" {
				fmt.Fprintf(&text, "nvlink error   : Undefined reference to '%s' in '%s'\n", s, m.file)
			}
		}
	}
	if text.Len() == 0 {
		return nil
	}
	return &clang.CompileError{Stage: "device link", Text: text.String()}
}

// deviceLink is --device-link: an object that makes the host's linker take
// what the device code of the inputs needs.
func (d *driver) deviceLink(ctx context.Context) error {
	files, _, err := d.objects(ctx)
	if err != nil {
		return err
	}
	needed, err := d.neededModules(files)
	if err != nil {
		return err
	}
	out := d.cmd.Output
	if out == "" {
		out = filepath.Join(d.cmd.OutputDir, "a_dlink.o")
	}
	text := ".section .note.GNU-stack,\"\",@progbits\n.section .data.rel.warpgrind,\"aw\",@progbits\n"
	for _, symbol := range needed {
		text += ".quad " + symbol + "\n"
	}
	// Device code that came as PTX or in a blob becomes part of the object.
	args := []string{"-nostdlib", "-r", "-o", out, "-x", "assembler", "-", "-x", "none"}
	for i, in := range d.cmd.Inputs {
		if in.Lang == nvcc.PTXText || in.Lang == nvcc.Blob {
			args = append(args, files[i])
		}
	}
	cmd := exec.CommandContext(ctx, d.tc.Clang, args...)
	cmd.Stdin = strings.NewReader(text)
	if diag, err := cmd.CombinedOutput(); err != nil {
		return errors.Join(err, errors.New(string(diag)))
	}
	return nil
}

// linkBlob is --device-link with --cubin or --fatbin: one module of the device code of the inputs.
func (d *driver) linkBlob(ctx context.Context) error {
	files, _, err := d.objects(ctx)
	if err != nil {
		return err
	}
	r, _, err := d.resolve(files)
	if err != nil {
		return err
	}
	var parts []link.Part
	for _, m := range r.modules {
		if m.taken {
			parts = append(parts, link.Part{Name: m.file, Text: m.text})
		}
	}
	linked, err := link.Link(parts)
	if err != nil {
		return err
	}
	out := d.cmd.Output
	if out == "" {
		out = filepath.Join(d.cmd.OutputDir, "a_dlink"+d.blobSuffix())
	}
	blob, err := clang.EncodeFatbin(clang.Meta{Source: filepath.Base(out), Clang: d.tc.Version, Module: filepath.Base(out)}, linked.Text)
	if err != nil {
		return err
	}
	return userfile.Write(out, blob)
}
