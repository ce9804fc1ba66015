package instrument

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// limit is the shared memory of a block that every GPU gives without asking
// (CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability").
const limit = 48 << 10

// sharedTable decides whether small tables are in shared memory.
func (j *job) sharedTable() bool {
	if j.scheme.fast == nil {
		return false
	}
	needs, most := j.scheme.fast(j.Threads), max(j.most, j.Shared)
	switch {
	case j.Table != "":
		return j.Table == "shared"
	case most+needs > limit:
		j.messages = append(j.messages, fmt.Sprintf("the tables are in device memory: a kernel uses %d bytes of shared memory, which leaves no %d bytes for them", most, needs))
		return false
	case j.asks && j.Shared == 0:
		j.messages = append(j.messages, "the tables are in device memory: the program asks for much shared memory (give --shared-size or --table to decide)")
		return false
	}
	return true
}

// sharedMemory returns the most shared memory that a block has, as far as it is
// known: what a function declares, and what a launch gives besides.
func sharedMemory(decls []*syntax.Node) int {
	m := measure{constants: map[string]*syntax.Node{}}
	for _, d := range decls {
		m.visit(d)
	}
	return m.declared + m.given
}

// measure is a walk that adds up shared memory.
type measure struct {
	declared, given int
	// constants are the initializers of constants by the variables' IDs.
	constants map[string]*syntax.Node
}

// visit returns what a part of a function declares.
func (m *measure) visit(n *syntax.Node) int {
	sum := 0
	for _, c := range n.Inner {
		sum += m.visit(c)
	}
	switch {
	case n.Kind == "VarDecl" && n.Has("CUDASharedAttr"):
		sum += sizeOf(n.Desugared)
	case n.Kind == "VarDecl" && strings.HasPrefix(n.Desugared, "const "):
		m.constants[n.ID] = initializer(n)
	case n.Kind == "CUDAKernelCallExpr":
		if size, ok := m.value(n.Child(1).Child(3)); ok && size < 1<<30 {
			m.given = max(m.given, size)
		}
	case functionKinds[n.Kind]:
		m.declared = max(m.declared, sum)
		return 0
	}
	return sum
}

// value computes a constant expression, if it is a simple one.
func (m *measure) value(n *syntax.Node) (int, bool) {
	if n == nil {
		return 0, false
	}
	switch n.Kind {
	case "IntegerLiteral":
		v, err := strconv.Atoi(n.Value)
		return v, err == nil
	case "UnaryExprOrTypeTraitExpr":
		if n.Name == "sizeof" && n.ArgType != "" {
			return sizeOf(n.ArgType), true
		}
		if n.Name == "sizeof" && n.Child(0) != nil {
			return sizeOf(n.Child(0).Desugared), true
		}
	case "DeclRefExpr":
		if n.Ref != nil && m.constants[n.Ref.ID] != nil {
			return m.value(m.constants[n.Ref.ID])
		}
	case "BinaryOperator":
		a, ok := m.value(n.Child(0))
		b, ok2 := m.value(n.Child(1))
		if ok && ok2 {
			return operate(n.Opcode, a, b)
		}
	case "ImplicitCastExpr", "ParenExpr", "CStyleCastExpr", "ConstantExpr":
		return m.value(n.Child(0))
	}
	return 0, false
}

func operate(op string, a, b int) (int, bool) {
	switch {
	case op == "+":
		return a + b, true
	case op == "-":
		return a - b, true
	case op == "*":
		return a * b, true
	case op == "/" && b != 0:
		return a / b, true
	case op == "<<" && b >= 0 && b < 31:
		return a << b, true
	}
	return 0, false
}

var extents = regexp.MustCompile(`\[(\d+)\]`)

// sizes of the types that shared arrays mostly have; of others 4 is assumed.
var sizes = map[string]int{"char": 1, "bool": 1, "short": 2, "long": 8, "double": 8, "float2": 8, "int2": 8, "double2": 16, "float4": 16, "int4": 16}

// sizeOf estimates the bytes of a type.
func sizeOf(t string) int {
	n := 4
	for _, w := range strings.Fields(strings.ReplaceAll(t, "[", " [")) {
		if s, ok := sizes[w]; ok {
			n = s
		}
	}
	if strings.Contains(t, "*") {
		n = 8
	}
	for _, m := range extents.FindAllStringSubmatch(t, -1) {
		k, err := strconv.Atoi(m[1])
		if err != nil || k > 1<<20 {
			return 0
		}
		n *= k
	}
	return n
}
