package shadow

import "unsafe"

// Marks has a bit for each element of an allocation, from its base on, and a byte for each MarkPage elements, which is not 0
// if one of them may be marked. Both are nil where nothing is to be marked.
type Marks struct{ Bits, Pages unsafe.Pointer }

// MarkPage is how many elements a byte of Marks.Pages is for.
const MarkPage = 1 << 15
