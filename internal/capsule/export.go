package capsule

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"text/template"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// maxExport bounds the memory contents of an exported program in bytes: they are its text.
const maxExport = 8 << 20

// Export writes the launch as a CUDA program that uses the driver API alone: it makes the
// memory, loads the PTX and launches the kernel, on a GPU or under any tool. Addresses are
// different there: arguments that point into allocations are changed, and so are words of
// memory that do. title names the launch in one line. The error names what cannot be
// exported.
func (c *Capsule) Export(w io.Writer, title string) error {
	l := &c.Launch
	switch {
	case len(c.Textures) > 0:
		return errors.New("textures and surfaces cannot be exported")
	case l.Cooperative || l.Cluster.Size() > 1:
		return errors.New("cooperative launches and clusters cannot be exported")
	case c.Bytes() > maxExport:
		return fmt.Errorf("%d bytes of memory contents, at most %d can be exported: minimize the capsule first", c.Bytes(), maxExport)
	}
	ptx, err := c.PTX()
	if err != nil {
		return err
	}
	p := program{Title: strings.ToValidUTF8(strings.NewReplacer("\n", " ", "\\", " ").Replace(title), " "), Launch: l, PTX: rawString(ptx), Params: list(l.Params)}
	variables := map[uint64]string{}
	for name, addr := range c.Module.Addresses {
		variables[addr] = name
	}
	for i := range c.Memory.Allocations {
		a := &c.Memory.Allocations[i]
		b := exported{Allocation: a, Variable: variables[a.Base]}
		if a.Kind == mem.Symbol && b.Variable == "" {
			continue // of another module
		}
		if err := c.runs(&b); err != nil {
			return err
		}
		p.Buffers = append(p.Buffers, b)
	}
	return exportTemplate.Execute(w, p)
}

// program is what exportTemplate takes.
type program struct {
	Title       string
	Launch      *Launch
	PTX, Params string
	Buffers     []exported
}

// exported is an allocation of the program, or a variable of its module.
type exported struct {
	*Allocation
	Variable string
	// Runs are the written bytes, in order; Whole is set if those that are in none are zero.
	Whole bool
	Runs  []exportedRun
}

// exportedRun is bytes at an offset: as a list of numbers, or zeros if that is "".
type exportedRun struct {
	At, Size uint64
	Data     string
}

// runs finds which bytes of an allocation were written, and their contents.
func (c *Capsule) runs(b *exported) error {
	if b.Freed || b.Size == 0 {
		return nil
	}
	s, err := c.saved(b.Allocation)
	if err != nil {
		return err
	}
	b.Whole = s.Marks == nil
	for _, k := range b.Chunks {
		data, err := c.store.get(k.Data, ChunkSize)
		if err != nil {
			return err
		}
		if b.Whole {
			b.add(k.At, data)
			continue
		}
		eachRun(s.Marks, k.At, k.At+uint64(len(data)), func(from, to uint64) { b.add(from, data[from-k.At:to-k.At]) })
	}
	if !b.Whole {
		b.addZeros(s.Marks)
	}
	return nil
}

// add adds contents without the zeros at their end, which are written apart where that matters.
func (b *exported) add(at uint64, data []byte) {
	n := len(bytes.TrimRight(data, "\x00"))
	if n > 0 {
		b.Runs = append(b.Runs, exportedRun{at, uint64(n), list(data[:n])})
	}
	if n < len(data) && !b.Whole {
		b.Runs = append(b.Runs, exportedRun{at + uint64(n), uint64(len(data) - n), ""})
	}
}

// addZeros adds the written bytes of chunks that are all zero.
func (b *exported) addZeros(marks []uint64) {
	stored := map[uint64]bool{}
	for _, k := range b.Chunks {
		stored[k.At] = true
	}
	for at := uint64(0); at < min(b.Size, uint64(len(marks))*64); at += ChunkSize {
		if !stored[at] {
			eachRun(marks, at, min(at+ChunkSize, b.Size), func(from, to uint64) { b.Runs = append(b.Runs, exportedRun{from, to - from, ""}) })
		}
	}
	sort.Slice(b.Runs, func(i, k int) bool { return b.Runs[i].At < b.Runs[k].At })
}

// eachRun calls f for the ranges of set bits in [from, to).
func eachRun(marks []uint64, from, to uint64, f func(from, to uint64)) {
	has := func(i uint64) bool { return marks[i/64]>>(i%64)&1 != 0 }
	to = min(to, uint64(len(marks))*64)
	for i := from; i < to; i++ {
		if !has(i) {
			continue
		}
		end := i
		for end < to && has(end) {
			end++
		}
		f(i, end)
		i = end
	}
}

// list writes bytes as the initializer of an array.
func list(b []byte) string {
	var s strings.Builder
	for i, v := range b {
		if i > 0 && i%32 == 0 {
			s.WriteByte('\n')
		}
		fmt.Fprintf(&s, "%d,", v)
	}
	return s.String()
}

// maxLiteral bounds one string literal in bytes: compilers take 65,536 at least (C++, "Implementation quantities").
const maxLiteral = 60_000

// rawString writes text as raw string literals one after the other.
func rawString(text []byte) string {
	mark := "ptx"
	for bytes.Contains(text, []byte(")"+mark+"\"")) {
		mark += "_"
	}
	var s strings.Builder
	for text = bytes.TrimRight(text, "\x00"); len(text) > 0; {
		n := min(len(text), maxLiteral)
		fmt.Fprintf(&s, "R\"%s(%s)%s\"\n", mark, text[:n], mark)
		text = text[n:]
	}
	return s.String()
}

// quoted writes a C string literal.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?' {
			fmt.Fprintf(&b, "\\%03o", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String() + "\""
}

var exportTemplate = template.Must(template.New("").Funcs(template.FuncMap{"quoted": quoted}).Parse(exportText))
