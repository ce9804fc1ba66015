package check

import (
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The values of trace.Memory.Kind that matter for what is said of memory.
const (
	heapMemory     = "heap"
	variableMemory = "symbol"
)

// ObjectOf describes memory as a finding's object; m may be nil.
func ObjectOf(space trace.Space, m *trace.Memory) *finding.Object {
	if m == nil {
		return nil
	}
	o := &finding.Object{Kind: finding.Allocation, Space: space.String(), ID: m.ID, Where: m.Where, Address: m.Base, Size: m.Size}
	switch m.Kind {
	case heapMemory:
		return &finding.Object{Kind: finding.Heap, Space: o.Space, Size: m.Size}
	case variableMemory:
		o.Kind, o.Name, o.Where = finding.Variable, VariableName(m.Name), ""
	}
	return o
}

// VariableObject describes a variable in shared or local memory.
func VariableObject(space trace.Space, v *trace.Variable) *finding.Object {
	return &finding.Object{Kind: finding.Variable, Space: space.String(), Name: VariableName(v.Name), Address: v.Addr, Size: v.Size}
}

// SharedObject is the variable that holds byte at of shared memory, and the range of
// size bytes from there on in it; nil where there is no variable.
func SharedObject(l *trace.Launch, at uint64, size int) (*finding.Object, finding.Bytes) {
	i := SharedVariable(l, at)
	if i < 0 {
		return nil, finding.Bytes{}
	}
	v := &l.Shared[i]
	return VariableObject(trace.SpaceShared, v), Range(at, v.Addr, size)
}

// Range is size bytes at an address, as offsets from a base.
func Range(at, base uint64, size int) finding.Bytes {
	lo := int64(at - base)
	return finding.Bytes{Lo: lo, Hi: lo + int64(size)}
}

// AccessOf is a kind of access for a place.
func AccessOf(k trace.Kind) finding.Access {
	return [...]finding.Access{trace.Read: finding.Read, trace.Write: finding.Write, trace.Atomic: finding.Atomic}[k]
}
