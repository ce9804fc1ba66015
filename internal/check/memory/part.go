package memory

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// indexBits is how many bits of an index an access to a trace.Variable with Part shows.
const indexBits = 16

// partElement is the bytes that stand for one element there.
const partElement = 4

// partIndex is the index that an access beyond a part stands for.
func partIndex(at uint64) int64 {
	n := int64(at / partElement & (1<<indexBits - 1))
	if n >= 1<<(indexBits-1) {
		n -= 1 << indexBits
	}
	return n
}

// part describes an index beyond a member array or a row. The access itself, to what lies
// there, comes next. An index beyond a member is an error; one beyond a row a warning, since
// programs walk whole arrays by the index of their last dimension on purpose.
func (o launchObserver) part(block uint64, d *trace.Defect, n uint64) *finding.Finding {
	l, lane, v := o.launch, bits.TrailingZeros32(d.Mask), d.Site.Local
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "out-of-bounds", Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: n, Unit: "access",
		Primary: finding.Place{Role: "indexed by", Loc: d.Site.Loc, PTXLine: d.Site.PTXLine, Thread: check.Thread(l, block, d.Warp, lane)},
		Key:     fmt.Sprintf("part\x00%s\x00%s", check.SiteKey(d.Site), v.Name),
		Witness: [4]uint64{uint64(l.ID), block, uint64(d.Warp), uint64(lane)},
	}
	describePart(f, v, partIndex(d.Addr[lane]-d.Meant.Base))
	if k := bits.OnesCount32(d.Mask); k > 1 {
		f.Notes = append(f.Notes, fmt.Sprintf("%d lanes of the warp do the same", k))
	}
	return f
}

// describePart puts an index beyond the part that a variable stands for into words.
func describePart(f *finding.Finding, v *trace.Variable, index int64) {
	p := partOf(v)
	f.Level, f.Help, f.Repair = p.level, p.help, &finding.Repair{Kind: finding.CheckIndex}
	f.Message = fmt.Sprintf("index %d is out of bounds of %s", index, p.name)
	f.Notes = append(f.Notes, fmt.Sprintf("%s has %s; that location belongs to %s", p.name,
		check.Plural(v.Size/partElement, "element"), p.neighbor))
	f.Object = &finding.Object{Kind: finding.Part, Space: "part", Name: v.Name}
}

// partText is what a part is called, and what is said about an index beyond it.
type partText struct {
	name, neighbor, help string
	level                finding.Level
}

// partOf describes the part that a variable stands for.
func partOf(v *trace.Variable) partText {
	if v.Part == trace.PartRow {
		return partText{"a row of " + check.VariableName(v.Name), "another row, or is past the end of the array",
			"check the index against the length of the row, or walk the array by a pointer to its first element", finding.Warning}
	}
	i := strings.LastIndex(v.Name, "::")
	return partText{fmt.Sprintf("member %s of struct %s", v.Name[i+2:], v.Name[:i]), "another member, or is past the end of the structure",
		"check the index against the length of the member", finding.Error}
}
