package ptx

import "strconv"

// Variables of a function's body in .global, .const and .shared memory exist once,
// whatever calls the function. Those in .global and .const memory become variables of
// the module, which are allocated when it is loaded. They get names of their own, and
// so do those in .shared memory that another function has a namesake of: names of
// scopes mean nothing outside of the parser.

// static gives a variable that a body declares its name in the module. It reports
// whether the variable belongs to the module.
func (p *parser) static(v *Variable) bool {
	module := v.Space == Global || v.Space == Const
	if p.err != nil || v.Count > 0 || v.Linkage != Internal || !module && v.Space != Shared {
		return false
	}
	if p.statics == nil {
		p.statics = map[string]bool{}
	}
	if module || p.isTaken(v.Name) {
		v.Name = p.staticName(v.Name)
	}
	p.statics[v.Name] = true
	if module {
		p.addItem(v)
		p.mod.vars[v.Name] = v
		p.global.declare(v.Name, v)
	}
	return module
}

func (p *parser) isTaken(name string) bool {
	_, global := p.global.lookup(name)
	return global || p.statics[name]
}

// staticName is a free name for a variable of the function at hand.
func (p *parser) staticName(name string) string {
	base := p.in + "$" + name
	free := base
	for i := 2; p.isTaken(free); i++ {
		free = base + "$" + strconv.Itoa(i)
	}
	return free
}

// named is the name in the module of what a name stands for in scope.
func named(name string, v *Variable) string {
	if v == nil || v == funcDecl || v.Count > 0 {
		return name
	}
	return v.Name
}
