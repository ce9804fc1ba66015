package undefined

import "github.com/warpgrind/warpgrind/internal/finding"

// The repairs of the rule.
const (
	CheckIndex     finding.RepairKind = "check-index"
	CheckSize      finding.RepairKind = "check-size"
	CheckPointer   finding.RepairKind = "check-pointer"
	ReturnValue    finding.RepairKind = "return-value"
	KeepAlive      finding.RepairKind = "keep-alive"
	Initialize     finding.RepairKind = "initialize"
	CheckDivisor   finding.RepairKind = "check-divisor"
	CheckShift     finding.RepairKind = "check-shift"
	ReturnAlways   finding.RepairKind = "return-always"
	SplitStatement finding.RepairKind = "split-statement"
	EndRecursion   finding.RepairKind = "end-recursion"
)

// helps put repairs into words.
var helps = map[finding.RepairKind]string{
	CheckIndex:     "keep the index within the array, or make the array larger",
	CheckSize:      "copy or set no more bytes than the destination has",
	CheckPointer:   "do not dereference a pointer that may be null",
	ReturnValue:    "return the value itself, or write it through a pointer from the caller",
	KeepAlive:      "keep the object alive as long as the reference",
	Initialize:     "initialize the variable where it is declared",
	CheckDivisor:   "make sure that the divisor is not zero",
	CheckShift:     "shift by less than the type's width, or convert to a wider type before",
	ReturnAlways:   "return a value on every path to the function's end",
	SplitStatement: "modify and use the variable in separate statements",
	EndRecursion:   "give the recursion a condition that terminates it",
}
