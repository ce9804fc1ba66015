package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"regexp"
)

// PTX has no atomic operation on a byte: compilers emulate one by a compare-and-swap
// of the word around it, so that the bytes beside it seem to be accessed, too. The
// engine has atom.byte, to which those of the source become. It is not part of PTX.

var (
	rmwLine = regexp.MustCompile(`^  (%[^ ]+) = atomicrmw (?:volatile )?(\w+) (ptr.*?), i8 ([^ ]+) (?:syncscope\("([^"]*)"\) )?(\w+)(?:, align \d+)?(.*)$`)
	casLine = regexp.MustCompile(`^  (%[^ ]+) = cmpxchg (?:weak )?(?:volatile )?(ptr.*?), i8 ([^ ,]+), i8 ([^ ]+) (?:syncscope\("([^"]*)"\) )?(\w+) \w+(?:, align \d+)?(.*)$`)
)

// byteOps are the operations by their names in LLVM; "sub" adds the negative.
var byteOps = map[string]string{
	"xchg": "exch.b8", "add": "add.u8", "sub": "add.u8", "and": "and.b8", "or": "or.b8", "xor": "xor.b8",
	"min": "min.s8", "max": "max.s8", "umin": "min.u8", "umax": "max.u8",
}

// atomicScopes are the scopes by LLVM's names of those of threads.
var atomicScopes = map[string]string{"block": "cta", "cluster": "cluster", "device": "gpu", "": "sys"}

// atomicOrders are the words of the orders that one instruction can have.
var atomicOrders = map[string]string{
	"monotonic": "relaxed", "acquire": "acquire", "release": "release", "acq_rel": "acq_rel", "seq_cst": "acq_rel",
}

// byteAtomic prints an atomic operation on a byte as one instruction. It reports
// whether the line is one.
func (l *lowerer) byteAtomic(line *irtext.Line) bool {
	if !line.Contains(", i8 ") {
		return false
	}
	if m := rmwLine.FindStringSubmatch(line.Text); m != nil && byteOps[m[2]] != "" {
		value, dbg := m[4], irtext.DebugOf(m[7])
		if m[2] == "sub" {
			value = l.value("sub i8 0, %s%s", value, dbg)
		}
		old := l.byteAsm(byteOps[m[2]], m[3], m[5], m[6], dbg, value)
		l.out.Printf("  %s = trunc i16 %s to i8%s\n", m[1], old, dbg)
		return true
	}
	m := casLine.FindStringSubmatch(line.Text)
	if m == nil {
		return false
	}
	dbg := irtext.DebugOf(m[7])
	old := l.value("trunc i16 %s to i8%s", l.byteAsm("cas.b8", m[2], m[5], m[6], dbg, m[3], m[4]), dbg)
	done := l.value("icmp eq i8 %s, "+m[3]+"%s", old, dbg)
	pair := l.value("insertvalue { i8, i1 } poison, i8 %s, 0%s", old, dbg)
	l.out.Printf("  %s = insertvalue { i8, i1 } %s, i1 %s, 1%s\n", m[1], pair, done, dbg)
	return true
}

// value prints the definition of a new value and returns its name; the format takes
// an operand and the debug location.
func (l *lowerer) value(format, operand, dbg string) string {
	l.fresh++
	name := fmt.Sprintf("%%wgl.%d", l.fresh)
	l.out.Printf("  %s = "+format+"\n", name, operand, dbg)
	return name
}

// byteAsm prints the instruction and returns what it found in memory, in 16 bits.
func (l *lowerer) byteAsm(op, ptr, scope, order, dbg string, values ...string) string {
	mods := "." + atomicOrders[order] + "." + atomicScopes[scope]
	fence := "fence.sc." + atomicScopes[scope] + "; "
	if !l.relaxed {
		mods, fence = "", "membar.sys; "
	}
	if order != "seq_cst" {
		fence = ""
	}
	constraints, text, args := "=h,l", "$0, [$1]", ptr
	for i, v := range values {
		constraints += ",h"
		text += fmt.Sprintf(", $%d", 2+i)
		args += ", i16 " + l.value("zext i8 %s to i16%s", v, dbg)
	}
	return l.value(fmt.Sprintf("call i16 asm sideeffect \"%satom.byte%s%s.%s %s;\", \"%s,~{memory}\"(%%s)%%s",
		fence, mods, spaceName(irtext.AddrSpace(ptr)), op, text, constraints), args, dbg)
}
