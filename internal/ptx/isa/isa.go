// Package isa is the table of PTX instructions: one row per opcode, from which
// the parser's checks, the printer and the coverage page are made.
package isa

// Desc is a row of the table. (The table's author extends it.)
type Desc struct {
	// Op is the first word of the opcode.
	Op string
}
