// Package undefined reports undefined behavior in device code that the compiler's front
// end sees (rule undefined).
package undefined

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Rule is the undefined rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "undefined",
		Rank:  finding.Wrong,
		Title: "undefined behavior that the compiler detects",
		Doc: `The C++ standard leaves the behavior of this code undefined, and clang's front end
detects it: a constant index beyond an array, a variable that is used before it is
set, a shift by more bits than the type has, a division by zero, a null pointer that is
dereferenced, a returned address of a local variable. An optimizer may delete such
code and whatever depends on it, so the kernel may do something other than the source
suggests, or nothing.

"warpgrind check" reports it without running the program. A finding's kind is the name
of clang's warning: "array-bounds" for -Warray-bounds. It is an error if the code is
wrong whenever it is reached, and a warning if that depends on a condition. Only device
code in the user's files is checked, not system headers (-isystem); -Wno-NAME disables
a warning. If another rule finds the same defect at the same line, only that rule's
finding is reported.`,
		Example: `__global__ void sum(const int *in, int *out) {
    int a[4] = {in[0], in[1], in[2], in[3]};
    out[0] = a[1] + a[4];             // the last one is a[3]
}`,
		Fixed: `__global__ void sum(const int *in, int *out) {
    int a[4] = {in[0], in[1], in[2], in[3]};
    out[0] = a[0] + a[3];
}`,
		Fix: `Change the code: its result depends on the compiler, the architecture and the
optimization level.`,
		References: []string{
			`ISO/IEC 14882 (C++), [defns.undefined]`,
			`Clang documentation, "Diagnostic flags in Clang"`,
		},
	},
	Diagnosed: Diagnosed,
}

// mistake is what a group of warnings is about.
type mistake struct {
	repair finding.RepairKind
	// maybe is set if it depends on a condition.
	maybe bool
	// same are rules that find the same.
	same string
}

// mistakes are the groups of clang's warnings about undefined behavior.
var mistakes = map[string]mistake{
	"array-bounds":                   {repair: finding.CheckIndex, same: "memory"},
	"fortify-source":                 {repair: finding.CheckSize, same: "memory"},
	"builtin-memcpy-chk-size":        {repair: finding.CheckSize, same: "memory"},
	"null-dereference":               {repair: finding.CheckPointer, same: "memory"},
	"nonnull":                        {repair: finding.CheckPointer, same: "memory"},
	"tautological-undefined-compare": {repair: finding.CheckPointer, maybe: true},
	"return-stack-address":           {repair: finding.ReturnValue},
	"dangling":                       {repair: finding.KeepAlive},
	"dangling-gsl":                   {repair: finding.KeepAlive},
	"dangling-field":                 {repair: finding.KeepAlive},
	"dangling-initializer-list":      {repair: finding.KeepAlive},
	"uninitialized":                  {repair: finding.Initialize, same: "init"},
	"uninitialized-const-reference":  {repair: finding.Initialize, maybe: true, same: "init"},
	"sometimes-uninitialized":        {repair: finding.Initialize, maybe: true, same: "init"},
	"static-self-init":               {repair: finding.Initialize},
	"division-by-zero":               {repair: finding.CheckDivisor},
	"shift-count-overflow":           {repair: finding.CheckShift},
	"shift-count-negative":           {repair: finding.CheckShift},
	"return-type":                    {repair: finding.ReturnAlways, maybe: true},
	"unsequenced":                    {repair: finding.SplitStatement},
	"infinite-recursion":             {repair: finding.EndRecursion},
}

// Reports says whether a group of warnings is about undefined behavior.
func Reports(group string) bool { return mistakes[group].repair != "" }

// Diagnosed makes findings of clang's warnings.
func Diagnosed(list []check.Diagnostic) []*finding.Finding {
	var set finding.Set
	for i := range list {
		if Reports(list[i].Group) {
			set.Add(diagnosed(&list[i]))
		}
	}
	return set.Sorted()
}

// maxNotes bounds the places that a finding names besides its own.
const maxNotes = 6

func diagnosed(d *check.Diagnostic) *finding.Finding {
	m := mistakes[d.Group]
	f := &finding.Finding{
		Rule: "undefined", Kind: d.Group, Level: finding.Error, Confidence: finding.Proved, Kernel: d.Kernel,
		Cause: finding.Cause(d.Group), Repair: &finding.Repair{Kind: m.repair}, Help: helps[m.repair],
		Message: d.Text, Primary: finding.Place{Loc: d.Loc}, Count: 1, Unit: "place",
		Key: d.Group + "\x00" + d.Loc.Pos.String(),
	}
	if m.maybe {
		f.Level, f.Confidence = finding.Warning, finding.Possible
	}
	for _, n := range d.Notes[:min(len(d.Notes), maxNotes)] {
		f.Related = append(f.Related, finding.Place{Loc: n.Loc, Role: n.Text})
	}
	f.Notes = append(f.Notes, "clang's warning: -W"+d.Group)
	return f
}

// Distinct leaves out what another rule finds at the same line.
func Distinct(fs, others []*finding.Finding) []*finding.Finding {
	type place struct {
		rule, file string
		line       int
	}
	found := map[place]bool{}
	for _, o := range others {
		found[place{o.Rule, o.Primary.Loc.File, o.Primary.Loc.Line}] = true
	}
	var out []*finding.Finding
	for _, f := range fs {
		if same := mistakes[f.Kind].same; same == "" || !found[place{same, f.Primary.Loc.File, f.Primary.Loc.Line}] {
			out = append(out, f)
		}
	}
	return out
}
