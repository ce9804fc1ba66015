package ptx

import "strconv"

// funcDecl stands for a function in a scope.
var funcDecl = &Variable{}

// scope is the names of a block, innermost first along outer (PTX ISA,
// "Statements": names are local to the braces that hold their declaration).
type scope struct {
	outer *scope
	// names maps to a *Variable, which for registers has their type alone, and to
	// funcDecl for a function.
	names map[string]*Variable
	// regRanges and varRanges map the prefix of name<Count> to what is declared.
	regRanges map[string]regRange
	varRanges map[string]*Variable
	labels    map[string]bool
}

// declareLabel reports whether the label is new in this scope.
func (s *scope) declareLabel(name string) bool {
	if s.labels[name] {
		return false
	}
	if s.labels == nil {
		s.labels = map[string]bool{}
	}
	s.labels[name] = true
	return true
}

func (s *scope) declare(name string, v *Variable) {
	if s.names == nil {
		s.names = map[string]*Variable{}
	}
	s.names[name] = v
}

// regRange is registers name<count>.
type regRange struct {
	count int
	of    *Variable
}

// isReg reports whether what a name is declared as is a register.
func isReg(v *Variable) bool { return v != nil && v.Space == Reg }

// declareReg declares a register of a type, or with count above 0 a range of them.
func (s *scope) declareReg(name string, count int, of *Variable) {
	if count == 0 {
		s.declare(name, of)
		return
	}
	if s.regRanges == nil {
		s.regRanges = map[string]regRange{}
	}
	s.regRanges[name] = regRange{max(count, s.regRanges[name].count), of}
}

func (s *scope) declareVar(v *Variable) {
	if v.Count == 0 {
		s.declare(v.Name, v)
		return
	}
	if s.varRanges == nil {
		s.varRanges = map[string]*Variable{}
	}
	s.varRanges[v.Name] = v
}

// lookup finds a name: whether it is declared, and its variable.
func (s *scope) lookup(name string) (v *Variable, ok bool) {
	for ; s != nil; s = s.outer {
		if len(s.names) > 0 {
			if v, ok := s.names[name]; ok {
				return v, true
			}
		}
		if s.regRanges != nil || s.varRanges != nil {
			if v, ok := s.lookupRange(name); ok {
				return v, true
			}
		}
	}
	return nil, false
}

// maxDigits is the length of the greatest number below maxCount.
const maxDigits = 8

// lookupRange finds name among the name<Count> declarations: a declared
// prefix followed by a number below its count, without leading zeros.
func (s *scope) lookupRange(name string) (*Variable, bool) {
	k := len(name)
	for k > max(0, len(name)-maxDigits) && class[name[k-1]]&cDigit != 0 {
		k--
	}
	for ; k < len(name); k++ {
		if name[k] == '0' && k+1 < len(name) {
			continue
		}
		if r, ok := s.regRanges[name[:k]]; ok && below(name[k:], r.count) {
			return r.of, true
		}
		if v, ok := s.varRanges[name[:k]]; ok && below(name[k:], v.Count) {
			return v, true
		}
	}
	return nil, false
}

func below(digits string, n int) bool {
	i, err := strconv.Atoi(digits)
	return err == nil && i < n
}
