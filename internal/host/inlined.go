package host

import (
	"debug/dwarf"
	"slices"
)

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
