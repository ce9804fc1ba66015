package order

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// lock is how a function takes a lock and releases it: a loop with atomicCAS, and an atomicExch of the same object.
type lock struct {
	take, release *code.Statement
	// fenced is set for functions that do so, which have the fences that are needed.
	fenced bool
}

// locksIn are those of a function.
func locksIn(fn *code.Function, p *code.Program) (out []lock) {
	loops, exchanges := lockSteps(fn)
	for _, take := range loops {
		for _, release := range exchanges {
			if LockedObject(take, "atomicCAS") == LockedObject(release, "atomicExch") && release.From > take.To && release.Outer == take.Outer {
				out = append(out, lock{take, release, false})
				break
			}
		}
	}
	return append(out, lockCalls(p, fn)...)
}

// lockSteps are the loops of a function that wait with atomicCAS, and the statements that call atomicExch.
func lockSteps(fn *code.Function) (loops, exchanges []*code.Statement) {
	var visit func(s *code.Statement)
	visit = func(s *code.Statement) {
		switch {
		case s.IsLoop() && s.Outer != nil && len(s.Inner) > 0 && len(s.Body().Inner) == 0 && LockedObject(s, "atomicCAS") != "":
			loops = append(loops, s)
			return
		case len(s.Inner) == 0 && LockedObject(s, "atomicExch") != "":
			exchanges = append(exchanges, s)
		}
		for _, in := range s.Inner {
			visit(in)
		}
	}
	visit(fn.Body)
	return loops, exchanges
}

// lockCalls finds the calls in a function that take a lock and release it, with the same arguments.
func lockCalls(p *code.Program, fn *code.Function) (out []lock) {
	takes, releases := map[string]bool{}, map[string]bool{}
	for _, o := range p.Functions {
		if !code.OnGPU(o) || o == fn {
			continue
		}
		if loops, exchanges := lockSteps(o); len(loops) > 0 {
			takes[o.Node.Name] = true
		} else if len(exchanges) > 0 {
			releases[o.Node.Name] = true
		}
	}
	var began []*code.Statement
	fn.Each(func(s *code.Statement) {
		if s.Node.Kind != "CallExpr" || s.Outer == nil || !s.Outer.IsList() {
			return
		}
		if takes[code.Callee(s.Node)] {
			began = append(began, s)
			return
		}
		for _, take := range began {
			if releases[code.Callee(s.Node)] && take.Outer == s.Outer && take.Text(take.Node.Child(1)) == s.Text(s.Node.Child(1)) && s.Text(s.Node.Child(1)) != "" {
				out = append(out, lock{take, s, true})
				return
			}
		}
	})
	return out
}

// LockedObject is the address that a call of an atomic function in a statement has, of the function or its twins of other scopes.
func LockedObject(s *code.Statement, name string) string {
	for _, call := range code.Calling(s.Node, func(callee string) bool {
		return callee == name || callee == name+"_block" || callee == name+"_system"
	}) {
		if text := s.Text(call.Child(1)); text != "" {
			return text
		}
	}
	return ""
}

// holds reports whether a statement is executed with the lock taken.
func (l lock) holds(s *code.Statement) bool { return l.take.To <= s.From && s.To <= l.release.From }

// TakeLock takes a lock, as the function takes it elsewhere, for the accesses of a finding that do not have it: with fences, so
// that other threads see what is written.
func TakeLock(p *code.Program, f *finding.Finding) []*code.Patch {
	var each []*code.Patch
	for _, at := range code.Places(f) {
		fn, s := p.At(at.Loc.Pos)
		if s == nil || s.Outer == nil || s.IsList() || s.Node.Kind == "DeclStmt" || code.Leaves(s) {
			continue
		}
		locks := locksIn(fn, p)
		held := false
		for _, l := range locks {
			held = held || l.holds(s)
		}
		if held || len(locks) == 0 || !samePlace(locks[0], fn, s) {
			continue
		}
		take, release := string(s.File.Text[locks[0].take.From:locks[0].take.To]), string(s.File.Text[locks[0].release.From:locks[0].release.To])
		if strings.Contains(take+release, "\n") {
			continue
		}
		fence := "__threadfence();"
		for _, call := range code.Calling(fn.Body.Node, func(name string) bool { return strings.HasPrefix(name, "__threadfence") }) {
			if text := fn.Body.Text(call); locks[0].take.To <= call.Begin.Off && call.End.End() <= locks[0].release.From && text != "" {
				fence = text + ";"
			}
		}
		before, after := []string{take, fence}, []string{fence, release}
		if locks[0].fenced {
			before, after = []string{take}, []string{release}
		}
		none := s.File.Replace(s.From, s.From, "")
		each = append(each, code.Surrounded(s, before, after, none, fmt.Sprintf("take the lock for line %d", s.File.Line(s.From))))
	}
	if each = code.Distinct(each); len(each) < 2 {
		return each
	}
	return append([]*code.Patch{code.Join(each...)}, each...)
}

// samePlace reports whether what a lock names can be named at a statement as well.
func samePlace(l lock, fn *code.Function, s *code.Statement) bool {
	ids := map[string]bool{}
	for _, v := range fn.Visible(s) {
		ids[v.ID] = true
	}
	for _, v := range fn.Visible(l.take) {
		if !ids[v.ID] && (code.Mentions(l.take.Node, map[string]bool{v.ID: true}) || code.Mentions(l.release.Node, map[string]bool{v.ID: true})) {
			return false
		}
	}
	return true
}
