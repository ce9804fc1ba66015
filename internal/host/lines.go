package host

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/source"
)

// maxRows bounds the line rows that are read of one program.
const maxRows = 1 << 24

// lineTable finds source lines of return addresses in a program, from its
// DWARF line tables. It is read on first use; a program without one has no
// lines.
type lineTable struct {
	exe   string
	read  bool
	rows  []lineRow
	stubs []addrRange
	// ofStubs are the lines of the stubs, by their text: where one is inlined,
	// its caller's line is the launch's.
	ofStubs map[string]bool
	// known remembers answers: programs call from few places.
	known map[uint64]string
	// data is the program's debugging information, inlined what units inline, by
	// their offsets.
	data    *dwarf.Data
	inlined map[dwarf.Offset][]inlinedCall
}

// lineRow begins a run of addresses of one line; line 0 ends a sequence.
type lineRow struct {
	addr uint64
	file string
	line int
}

type addrRange struct{ lo, hi uint64 }

// find returns "file:line" of the innermost frame in the user's own code, or
// "". Frames are return addresses relative to the program's image.
func (t *lineTable) find(frames []uint64) string {
	if !t.read {
		t.read = true
		t.known = map[uint64]string{}
		t.inlined = map[dwarf.Offset][]inlinedCall{}
		t.load()
	}
	for _, ret := range frames {
		at, ok := t.known[ret]
		if !ok {
			at = t.lookup(ret - 1) // the call, not what comes after it
			t.known[ret] = at
		}
		if at != "" {
			return at
		}
	}
	return ""
}

func (t *lineTable) lookup(pc uint64) string {
	for _, s := range t.stubs {
		if s.lo <= pc && pc < s.hi {
			return ""
		}
	}
	i, found := slices.BinarySearchFunc(t.rows, pc, func(r lineRow, pc uint64) int { return cmp.Compare(r.addr, pc) })
	if found { // the last of equal addresses counts
		for i+1 < len(t.rows) && t.rows[i+1].addr == pc {
			i++
		}
	} else {
		i--
	}
	if i < 0 {
		return ""
	}
	if !t.isUsers(&t.rows[i]) {
		return t.caller(pc)
	}
	return t.rows[i].text()
}

// isUsers reports whether a row is of the user's own code.
func (t *lineTable) isUsers(r *lineRow) bool {
	return r.line > 0 && !isOurs(r.file) && !t.ofStubs[r.text()]
}

func (r *lineRow) text() string { return r.file + ":" + strconv.Itoa(r.line) }

// noteStubs finds the lines of the stubs.
func (t *lineTable) noteStubs() {
	t.ofStubs = map[string]bool{}
	for _, s := range t.stubs {
		i, _ := slices.BinarySearchFunc(t.rows, s.lo, func(r lineRow, pc uint64) int { return cmp.Compare(r.addr, pc) })
		for ; i < len(t.rows) && t.rows[i].addr < s.hi; i++ {
			if t.rows[i].line > 0 {
				t.ofStubs[t.rows[i].text()] = true
			}
		}
	}
}

// ourHeaders are those of warpgrind's CUDA headers that hold inline functions.
var ourHeaders = []string{"/include/cuda_runtime.h", "/include/cuda_runtime_api.h"}

// isOurs tells warpgrind's CUDA headers, the C++ library and NVIDIA's header libraries from the
// user's files.
func isOurs(file string) bool {
	if source.Library(file) != "" {
		return true
	}
	for _, h := range ourHeaders {
		if strings.HasSuffix(file, h) {
			return true
		}
	}
	return strings.Contains(file, "/include/warpgrind/") || strings.HasPrefix(file, "/usr/include/") ||
		strings.HasPrefix(file, "/usr/lib/")
}

// load reads the tables; what cannot be read is left out.
func (t *lineTable) load() {
	f, err := elf.Open(t.exe)
	if err != nil {
		return
	}
	defer f.Close()
	syms, _ := f.Symbols()
	for _, s := range syms {
		if strings.Contains(s.Name, "__device_stub__") {
			t.stubs = append(t.stubs, addrRange{s.Value, s.Value + s.Size})
		}
	}
	d, err := f.DWARF()
	if err != nil {
		return
	}
	t.data = d
	units := d.Reader()
	for len(t.rows) < maxRows {
		e, err := units.Next()
		if e == nil || err != nil {
			break
		}
		if e.Tag == dwarf.TagCompileUnit {
			t.addUnit(d, e)
		}
		units.SkipChildren()
	}
	slices.SortStableFunc(t.rows, func(a, b lineRow) int {
		if c := cmp.Compare(a.addr, b.addr); c != 0 {
			return c
		}
		return cmp.Compare(min(a.line, 1), min(b.line, 1)) // an end gives way to a start
	})
	t.noteStubs()
}

func (t *lineTable) addUnit(d *dwarf.Data, unit *dwarf.Entry) {
	r, err := d.LineReader(unit)
	if r == nil || err != nil {
		return
	}
	dir, _ := unit.Val(dwarf.AttrCompDir).(string)
	main, _ := unit.Val(dwarf.AttrName).(string)
	names := map[*dwarf.LineFile]string{}
	var e dwarf.LineEntry
	for len(t.rows) < maxRows {
		if err := r.Next(&e); errors.Is(err, io.EOF) || err != nil {
			return
		}
		row := lineRow{addr: e.Address}
		if !e.EndSequence && e.File != nil {
			if _, ok := names[e.File]; !ok {
				names[e.File] = fileName(e.File.Name, dir, main)
			}
			row.file, row.line = names[e.File], e.Line
		}
		t.rows = append(t.rows, row)
	}
}

// fileName is the name of a source as the compiler was given it. In the line
// table the one of the unit's source stands after the directory of the
// compilation even where it is a whole path (clang 19, DWARF 5).
func fileName(joined, dir, main string) string {
	if filepath.IsAbs(main) && filepath.Clean(joined) == filepath.Join(dir, main) {
		return main
	}
	if dir = strings.TrimSuffix(dir, "/"); dir != "" { // compiled in / a whole path is whole
		joined = strings.TrimPrefix(joined, dir+"/")
	}
	return joined
}

// inlinedCall is a call that the compiler replaced by the function's code.
type inlinedCall struct {
	ranges [][2]uint64
	at     lineRow // the call's place
}

func (c *inlinedCall) holds(pc uint64) bool {
	return slices.ContainsFunc(c.ranges, func(r [2]uint64) bool { return r[0] <= pc && pc < r[1] })
}

// caller returns the place in the user's code of the innermost inlined call
// around pc that comes from there, or "".
func (t *lineTable) caller(pc uint64) string {
	if t.data == nil {
		return ""
	}
	unit, err := t.data.Reader().SeekPC(pc)
	if err != nil {
		return ""
	}
	calls, ok := t.inlined[unit.Offset]
	if !ok {
		calls = inlinedCalls(t.data, unit)
		t.inlined[unit.Offset] = calls
	}
	for i := len(calls) - 1; i >= 0; i-- { // inner ones come after outer ones
		c := &calls[i]
		if c.holds(pc) && t.isUsers(&c.at) {
			return c.at.text()
		}
	}
	return ""
}

// inlinedCalls lists the inlined calls of a unit, outer ones first (DWARF 5,
// section 3.3.8).
func inlinedCalls(d *dwarf.Data, unit *dwarf.Entry) (calls []inlinedCall) {
	lines, err := d.LineReader(unit)
	if lines == nil || err != nil {
		return nil
	}
	files := lines.Files()
	dir, _ := unit.Val(dwarf.AttrCompDir).(string)
	main, _ := unit.Val(dwarf.AttrName).(string)
	r := d.Reader()
	r.Seek(unit.Offset)
	for depth := 0; ; {
		e, err := r.Next()
		if e == nil || err != nil {
			return calls
		}
		switch {
		case e.Tag == 0:
			depth--
		case e.Children:
			depth++
		}
		if depth <= 0 {
			return calls
		}
		if e.Tag != dwarf.TagInlinedSubroutine {
			continue
		}
		var c inlinedCall
		c.ranges, _ = d.Ranges(e)
		file, _ := e.Val(dwarf.AttrCallFile).(int64)
		line, _ := e.Val(dwarf.AttrCallLine).(int64)
		if file >= 0 && int(file) < len(files) && files[file] != nil {
			c.at = lineRow{file: fileName(files[file].Name, dir, main), line: int(line)}
		}
		calls = append(calls, c)
	}
}
