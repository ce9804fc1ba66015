package undefined

import "github.com/warpgrind/warpgrind/internal/finding"

// helps put repairs into words.
var helps = map[finding.RepairKind]string{
	finding.CheckIndex:     "keep the index within the array, or make the array larger",
	finding.CheckSize:      "copy or set no more bytes than the destination has",
	finding.CheckPointer:   "do not dereference a pointer that may be null",
	finding.ReturnValue:    "return the value itself, or write it through a pointer from the caller",
	finding.KeepAlive:      "keep the object alive as long as the reference",
	finding.Initialize:     "initialize the variable where it is declared",
	finding.CheckDivisor:   "make sure that the divisor is not zero",
	finding.CheckShift:     "shift by less than the type's width, or convert to a wider type before",
	finding.ReturnAlways:   "return a value on every path to the function's end",
	finding.SplitStatement: "modify and use the variable in separate statements",
	finding.EndRecursion:   "give the recursion a condition that terminates it",
}
