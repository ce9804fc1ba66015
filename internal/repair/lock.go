package repair

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// lock is how a function takes a lock and releases it: a loop with atomicCAS, and an atomicExch of the same object.
type lock struct {
	take, release *statement
	// fenced is set for functions that do so, which have the fences that are needed.
	fenced bool
}

// locks are those of a function.
func (fn *function) locks(p *Program) (out []lock) {
	loops, exchanges := lockSteps(fn)
	for _, take := range loops {
		for _, release := range exchanges {
			if lockedObject(take, "atomicCAS") == lockedObject(release, "atomicExch") && release.from > take.to && release.outer == take.outer {
				out = append(out, lock{take, release, false})
				break
			}
		}
	}
	return append(out, lockCalls(p, fn)...)
}

// lockSteps are the loops of a function that wait with atomicCAS, and the statements that call atomicExch.
func lockSteps(fn *function) (loops, exchanges []*statement) {
	var visit func(s *statement)
	visit = func(s *statement) {
		switch {
		case s.isLoop() && s.outer != nil && len(s.inner) > 0 && len(s.body().inner) == 0 && lockedObject(s, "atomicCAS") != "":
			loops = append(loops, s)
			return
		case len(s.inner) == 0 && lockedObject(s, "atomicExch") != "":
			exchanges = append(exchanges, s)
		}
		for _, in := range s.inner {
			visit(in)
		}
	}
	visit(fn.body)
	return loops, exchanges
}

// lockCalls finds the calls in a function that take a lock and release it, with the same arguments.
func lockCalls(p *Program, fn *function) (out []lock) {
	takes, releases := map[string]bool{}, map[string]bool{}
	for _, o := range p.functions {
		if !onGPU(o) || o == fn {
			continue
		}
		if loops, exchanges := lockSteps(o); len(loops) > 0 {
			takes[o.node.Name] = true
		} else if len(exchanges) > 0 {
			releases[o.node.Name] = true
		}
	}
	var began []*statement
	fn.each(func(s *statement) {
		if s.node.Kind != "CallExpr" || s.outer == nil || !s.outer.isList() {
			return
		}
		if takes[callee(s.node)] {
			began = append(began, s)
			return
		}
		for _, take := range began {
			if releases[callee(s.node)] && take.outer == s.outer && take.text(take.node.Child(1)) == s.text(s.node.Child(1)) && s.text(s.node.Child(1)) != "" {
				out = append(out, lock{take, s, true})
				return
			}
		}
	})
	return out
}

// lockedObject is the address that a call of an atomic function in a statement has, of the function or its twins of other scopes.
func lockedObject(s *statement, name string) string {
	for _, call := range calling(s.node, func(callee string) bool {
		return callee == name || callee == name+"_block" || callee == name+"_system"
	}) {
		if text := s.text(call.Child(1)); text != "" {
			return text
		}
	}
	return ""
}

// holds reports whether a statement is executed with the lock taken.
func (l lock) holds(s *statement) bool { return l.take.to <= s.from && s.to <= l.release.from }

// lockTaken takes a lock, as the function takes it elsewhere, for the accesses of a finding that do not have it: with fences, so
// that other threads see what is written.
func lockTaken(p *Program, f *finding.Finding) []*Patch {
	var each []*Patch
	for _, at := range places(f) {
		fn, s := p.at(at.Loc.Pos)
		if s == nil || s.outer == nil || s.isList() || s.node.Kind == "DeclStmt" || leaves(s) {
			continue
		}
		locks := fn.locks(p)
		held := false
		for _, l := range locks {
			held = held || l.holds(s)
		}
		if held || len(locks) == 0 || !samePlace(locks[0], fn, s) {
			continue
		}
		take, release := string(s.file.Text[locks[0].take.from:locks[0].take.to]), string(s.file.Text[locks[0].release.from:locks[0].release.to])
		if strings.Contains(take+release, "\n") {
			continue
		}
		fence := "__threadfence();"
		for _, call := range calling(fn.body.node, func(name string) bool { return strings.HasPrefix(name, "__threadfence") }) {
			if text := fn.body.text(call); locks[0].take.to <= call.Begin.Off && call.End.End() <= locks[0].release.from && text != "" {
				fence = text + ";"
			}
		}
		before, after := []string{take, fence}, []string{fence, release}
		if locks[0].fenced {
			before, after = []string{take}, []string{release}
		}
		none := Edit{s.file.Name, s.from, s.from, ""}
		each = append(each, surrounded(s, before, after, none, fmt.Sprintf("take the lock for line %d", s.file.line(s.from))))
	}
	if each = distinct(each); len(each) < 2 {
		return each
	}
	return append([]*Patch{Join(each...)}, each...)
}

// samePlace reports whether what a lock names can be named at a statement as well.
func samePlace(l lock, fn *function, s *statement) bool {
	ids := map[string]bool{}
	for _, v := range fn.visible(s) {
		ids[v.ID] = true
	}
	for _, v := range fn.visible(l.take) {
		if !ids[v.ID] && (mentions(l.take.node, map[string]bool{v.ID: true}) || mentions(l.release.node, map[string]bool{v.ID: true})) {
			return false
		}
	}
	return true
}
