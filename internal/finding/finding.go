package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/source"
)

// Coord is a block or thread coordinate, or an extent.
type Coord struct {
	X uint32 `json:"x"`
	Y uint32 `json:"y"`
	Z uint32 `json:"z"`
}

// String formats as (x,y,z).
func (c Coord) String() string { return fmt.Sprintf("(%d,%d,%d)", c.X, c.Y, c.Z) }

// Thread names one thread of a launch.
type Thread struct {
	// Block is the coordinate in the grid, BlockIndex the same linear, x fastest.
	Block      Coord  `json:"block"`
	BlockIndex uint64 `json:"block_index"`
	// Thread is the coordinate in the block.
	Thread Coord `json:"thread"`
	Warp   int   `json:"warp"`
	Lane   int   `json:"lane"`
}

// String formats as "thread (x,y,z) of block (x,y,z), warp w lane l".
func (t Thread) String() string {
	return fmt.Sprintf("thread %v of block %v, warp %d lane %d", t.Thread, t.Block, t.Warp, t.Lane)
}

// Place is one site that a finding is about, with the thread of the witness.
type Place struct {
	// Role says what happens here: "read by", "written by", "waits here". It is for
	// people; Access is the same for programs.
	Role   string          `json:"role,omitempty"`
	Access Access          `json:"access,omitempty"`
	Loc    source.Location `json:"location"`
	// Library is where in a header library it is, if Loc is the user's call of the library; with Launched
	// Loc is the line on the host whose call launched a kernel of the library.
	Library  *source.Location `json:"library,omitempty"`
	Launched bool             `json:"launched,omitempty"`
	// PTX is the instruction, PTXLine its line in the PTX file; 0 is unknown.
	PTX     string  `json:"ptx,omitempty"`
	PTXLine int     `json:"ptx_line,omitempty"`
	Thread  *Thread `json:"thread,omitempty"`
}

// What says what happens at the place, and who does it where that is known:
// "read by thread (0,0,0) of ...", "read here", "waits here: thread ...".
func (p *Place) What() string {
	verb, by := strings.CutSuffix(p.Role, " by")
	switch {
	case p.Thread == nil && by:
		return verb + " here"
	case p.Thread == nil:
		return p.Role
	case p.Role == "":
		return p.Thread.String()
	case by:
		return p.Role + " " + p.Thread.String()
	}
	return p.Role + ": " + p.Thread.String()
}

// Finding is one defect: all that was seen of one cause, with one witness.
type Finding struct {
	// Rule is the rule's ID; Kind a variety of it: "RAW", "out-of-bounds".
	Rule  string `json:"rule"`
	Kind  string `json:"kind,omitempty"`
	Level Level  `json:"level"`
	// Kernel is the mangled name, KernelName the demangled one.
	Kernel     string `json:"kernel,omitempty"`
	KernelName string `json:"kernel_name,omitempty"`
	// Named are the kernels that Message, Notes and Help name, as they stand there: demangled, without parameters.
	Named    []string `json:"named_kernels,omitempty"`
	Launches Launches `json:"launches"`
	// LaunchedAt is the line on the host of the first of these, unknown where it has none.
	LaunchedAt source.Pos `json:"launched_at,omitzero"`
	// Cause is why, as a word for programs.
	Cause Cause `json:"cause,omitempty"`
	// Object is the memory that the finding is about, or that the access means, and
	// Range which of its bytes; nil and empty where unknown. Hit is what the access hits
	// instead, HitRange the bytes of that.
	Object   *Object `json:"object,omitempty"`
	Range    Bytes   `json:"range,omitzero"`
	Hit      *Object `json:"hit,omitempty"`
	HitRange Bytes   `json:"hit_range,omitzero"`
	// Nearest is set if Object is what lies nearest to a wrong address, whose distance
	// the first of Notes puts into words.
	Nearest bool `json:"nearest,omitempty"`
	// Origin names what is missing where several findings have it in common: a fence at a
	// line, say. Findings of one rule and Origin have one cause. It is not for people.
	Origin string `json:"origin,omitempty"`
	// Follows is set if another finding of the same Origin shows better what is missing.
	Follows bool `json:"follows,omitempty"`
	// Waits is set if the kernel waits at a barrier forever, Hangs if what is missing
	// here can be the cause of that.
	Waits bool `json:"waits,omitempty"`
	Hangs bool `json:"hangs,omitempty"`
	// Message is one line that stands alone. It, Notes and Help put into words what
	// the other fields say; nothing may be decided by them.
	Message string   `json:"message"`
	Primary Place    `json:"primary"`
	Related []Place  `json:"related,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	// Repair is the smallest change that removes it, Help the same in words.
	Repair *Repair `json:"repair,omitempty"`
	Help   string  `json:"help,omitempty"`
	// Count is how often it was seen; Unit says of what: "thread pairs".
	Count uint64 `json:"count,omitempty"`
	Unit  string `json:"unit,omitempty"`
	// Schedule is what --schedule takes to run in the order in which it was seen, "" where that was the run's, or
	// the order has no such form.
	Schedule string `json:"schedule,omitempty"`
	// Confidence is Proved, Possible or Confirmed for what was found without running the
	// program, "" for what was seen. Example is a launch that shows it, if one is known.
	Confidence string   `json:"confidence,omitempty"`
	Example    *Example `json:"-"`
	// Rank orders a performance rule's findings of one kernel, 1 for the one
	// that costs most; 0 for other rules.
	Rank int `json:"rank,omitempty"`
	// Details is the rule's own structure, nil or ready for JSON. Where it
	// implements Merger the Set merges it too.
	Details any `json:"details,omitempty"`
	// Fingerprint names the cause across runs and unrelated edits.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Tests are the tests that showed it, in a report of several.
	Tests []string `json:"tests,omitempty"`
	// Members are the findings that a report joins to this one, each with its
	// own places; nil where the finding stands for itself alone.
	Members []*Finding `json:"members,omitempty"`
	// More counts members that a written report leaves out.
	More int `json:"more_members,omitempty"`

	// Key tells causes of one rule and kernel apart; findings with equal
	// Rule, Kernel and Key are merged. It is not for people.
	Key string `json:"-"`
	// Witness orders witnesses, smallest first: launch, block, time or warp, lane.
	Witness [4]uint64 `json:"-"`
}

// The confidence of findings of static rules: the program does it whenever it
// comes there, or for some of the values that are not known.
const (
	Proved   = "proved"
	Possible = "possible"
	// Confirmed is what shows when the kernel runs with an example.
	Confirmed = "confirmed"
)

// Merger is implemented by Details that add up. Merged returns the details of
// both; it changes neither, and its sums commute and associate. The receiver
// belongs to the finding whose witness is kept.
type Merger interface {
	Merged(other any) any
}

// compareKey orders by identity.
func (f *Finding) compareKey(g *Finding) int {
	if c := strings.Compare(f.Rule, g.Rule); c != 0 {
		return c
	}
	if c := strings.Compare(f.Kernel, g.Kernel); c != 0 {
		return c
	}
	return strings.Compare(f.Key, g.Key)
}

// compare is the order of a report: level, kernel, rank, place, rule, key.
func (f *Finding) compare(g *Finding) int {
	if f.Level != g.Level {
		return int(g.Level) - int(f.Level)
	}
	if c := strings.Compare(f.KernelName, g.KernelName); c != 0 {
		return c
	}
	if f.Rank != g.Rank {
		return f.Rank - g.Rank
	}
	if c := f.Primary.Loc.Compare(g.Primary.Loc.Pos); c != 0 {
		return c
	}
	if c := f.Primary.PTXLine - g.Primary.PTXLine; c != 0 {
		return c
	}
	return f.compareKey(g)
}

// witnessLess reports whether f's witness is to be kept over g's. Witnesses
// that compare equal are told apart by their facts; of equal facts the words are
// chosen, so that the choice does not depend on who came first.
func (f *Finding) witnessLess(g *Finding) bool {
	if c := cmp.Or(slices.Compare(f.Witness[:], g.Witness[:]), f.compareFacts(g)); c != 0 {
		return c < 0
	}
	if f.Message != g.Message {
		return f.Message < g.Message
	}
	return slices.Compare(f.Notes, g.Notes) <= 0
}

// compareFacts orders findings of one key by what they are, without their words.
func (f *Finding) compareFacts(g *Finding) int {
	return cmp.Or(
		strings.Compare(f.Kind, g.Kind),
		strings.Compare(string(f.Cause), string(g.Cause)),
		f.Primary.Loc.Compare(g.Primary.Loc.Pos),
		f.Primary.PTXLine-g.Primary.PTXLine,
		f.Object.compare(g.Object),
		cmp.Compare(f.Range.Lo, g.Range.Lo),
		cmp.Compare(f.Range.Hi, g.Range.Hi),
		f.Repair.compare(g.Repair),
	)
}
