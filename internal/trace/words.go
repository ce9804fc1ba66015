package trace

import (
	"strconv"
	"strings"
)

// Opcode is the opcode of the instruction, without its guard.
func (s *Site) Opcode() string {
	text := s.PTX
	if strings.HasPrefix(text, "@") {
		_, text, _ = strings.Cut(text, " ")
	}
	op, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return strings.TrimSuffix(op, ";")
}

// Name names the instruction in a message about another one: its opcode, and its line if that is known.
func (s *Site) Name() string {
	if s.Loc.IsValid() {
		return s.Opcode() + " at " + s.Loc.Pos.String()
	}
	return s.Opcode()
}

// Plural is a number with its noun: "1 thread", "2 threads".
func Plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
