package ptx

import "strconv"

// Error is a syntax error, or a use that the grammar or the instruction table
// does not allow. It prints as file:line:col: message.
type Error struct {
	File string
	Pos  Pos
	Msg  string
}

// Error formats as file:line:col: message.
func (e *Error) Error() string {
	return e.File + ":" + strconv.Itoa(e.Pos.Line) + ":" + strconv.Itoa(e.Pos.Col) + ": " + e.Msg
}

// Unknown is the error for an instruction that the table lacks, or that has
// modifiers the table does not know. It unwraps to its *Error.
type Unknown struct {
	Err *Error
	// Opcode is the dotted text as written.
	Opcode string
}

// Error formats as the wrapped *Error does.
func (e *Unknown) Error() string { return e.Err.Error() }

// Unwrap returns the *Error with the position.
func (e *Unknown) Unwrap() error { return e.Err }
