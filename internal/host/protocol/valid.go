package protocol

import (
	"fmt"
	"math/bits"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// A rule is what the values of a field may be, from its tag "valid":
//
//	any     every value: the handler answers misuse by the program with a CUDA error
//	known   what the handler finds or compares; it ends the connection otherwise
//	<=N     a number, or the length of a string or slice, up to N, which may end in K or M
//	M..N    one from M to N
//	power   0 or a power of two
//
// Rules of numbers are also those of the elements of an array. A boolean and an enumeration
// need no tag: they have the values that the table names. Structures consist of fields with
// rules of their own.
type rule struct {
	lo, hi uint64
	power  bool
}

var everything = rule{hi: ^uint64(0)}

// allows reports whether a number, or a length, obeys the rule.
func (r rule) allows(n uint64) bool {
	return n >= r.lo && n <= r.hi && (!r.power || bits.OnesCount64(n) <= 1)
}

// parseRule reads a tag.
func parseRule(tag string) (rule, error) {
	r := everything
	var err error
	lo, hi, isRange := strings.Cut(tag, "..")
	switch {
	case tag == "any" || tag == "known":
	case tag == "power":
		r.power = true
	case isRange:
		if r.lo, err = parseSize(lo); err == nil {
			r.hi, err = parseSize(hi)
		}
	case strings.HasPrefix(tag, "<="):
		r.hi, err = parseSize(tag[2:])
	default:
		err = fmt.Errorf("no rule %q", tag)
	}
	return r, err
}

func parseSize(s string) (uint64, error) {
	shift := 0
	for unit, by := range map[string]int{"K": 10, "M": 20} {
		if rest, ok := strings.CutSuffix(s, unit); ok {
			s, shift = rest, by
		}
	}
	n, err := strconv.ParseUint(s, 10, 32)
	return n << shift, err
}

// ruleOf is the rule of a field, which is that of its type if it has no tag.
func ruleOf(f reflect.StructField) (rule, error) {
	for _, e := range enums {
		if reflect.TypeOf(e.value) == f.Type {
			return rule{hi: uint64(len(e.values) - 1)}, nil
		}
	}
	if tag, ok := f.Tag.Lookup("valid"); ok {
		return parseRule(tag)
	}
	if f.Type.Kind() == reflect.Bool || f.Type.Kind() == reflect.Struct {
		return everything, nil
	}
	return everything, fmt.Errorf("%s has no rule", f.Name)
}

var rules sync.Map // of a structure's type: []rule by field

// rulesOf are the rules of a structure's fields. Those of replies have none.
func rulesOf(t reflect.Type) []rule {
	if r, ok := rules.Load(t); ok {
		return r.([]rule)
	}
	list := make([]rule, t.NumField())
	for i := range list {
		list[i], _ = ruleOf(t.Field(i)) // TestRules finds errors
	}
	rules.Store(t, list)
	return list
}
