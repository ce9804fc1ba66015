package recall

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Layout of a node, for generated code: NodeWhat is SiteBits plus WarpBits of
// an access, NodeShape the shape's ID, NodeBase the base address, both of 32
// bits, and NodeChild the node that is expected next. A node takes
// 1<<NodeShift bytes.
const (
	NodeShift = 5
	NodeWhat  = int32(unsafe.Offsetof(node{}.event) + unsafe.Offsetof(event{}.what))
	NodeBase  = int32(unsafe.Offsetof(node{}.event) + unsafe.Offsetof(event{}.where))
	NodeShape = NodeBase + 4
	NodeChild = int32(unsafe.Offsetof(node{}.child))
)

var _ [1 << NodeShift]byte = [unsafe.Sizeof(node{})]byte{}

// SiteBits and WarpBits are what a site and a warp contribute to an event.
func SiteBits(site int) uint64 { return uint64(uint32(site)) << 32 }

// WarpBits is the warp's part of an access.
func WarpBits(warp int) uint64 { return uint64(uint32(warp))<<8 | uint64(accessKind) }

// Cursor is the group's place in its tree.
func (g *Group) Cursor() *Cursor { return &g.cursor }

// Nodes is the address of node 0. It changes when an interval is learnt.
func (g *Group) Nodes() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(g.nodes)) }

// Live returns what generated code needs of the sieve, of which it moves At.
func (g *Group) Live() *shadow.SieveLive { return &g.sieve.live }

// Takes reports whether accesses of a site may be part of a quiet interval.
func (g *Group) Takes(s *trace.Site) bool { return g.sieve.sites[s.ID] != 0 }

// Quiet reports whether the accesses of the interval matter to no observer so far.
func (g *Group) Quiet() bool { return g.sieve.open }

// Retire makes the group neither learn nor follow intervals any more, from the next one on.
func (g *Group) Retire() { g.retired = true }

// Irregular reports whether hardly any interval was known.
func (g *Group) Irregular() bool { return g.told > maxTold && g.known < g.told/8 }

// Retired reports whether the group neither learns nor follows intervals any more: it knows
// no access.
func (g *Group) Retired() bool { return g.retired }
