package finding

import "fmt"

// Rule documents one rule: the text of "warpgrind explain" and of docs/rules.
type Rule struct {
	// ID is the name that --tool takes and that reports print: "race".
	ID string `json:"id"`
	// Title is one line without a full stop.
	Title string `json:"title"`
	// Doc explains in plain paragraphs what a finding means; More are the details,
	// which only the rule's page and "warpgrind explain --all" have.
	Doc  string `json:"doc"`
	More string `json:"more,omitempty"`
	// Example is CUDA source that the rule reports, Fixed the same repaired.
	Example string `json:"example,omitempty"`
	Fixed   string `json:"fixed,omitempty"`
	// Rank orders rules within a level by urgency: Stops, then Wrong, then Unset; Costs
	// is for rules whose findings only affect performance.
	Rank Rank `json:"-"`
	// Groups is set if findings at several places can have one cause: a missing barrier
	// makes many pairs of lines race, an array that was never filled is read at many
	// lines. In other rules each place is a separate mistake.
	Groups bool `json:"-"`
	// Fix explains how to repair what the rule finds.
	Fix string `json:"fix"`
	// References name specifications and papers by title and section.
	References []string `json:"references,omitempty"`
}

// Rank is how urgent a rule's findings are, the smallest first; Costs comes last.
type Rank uint8

// The ranks.
const (
	// Costs: results are right but slow.
	Costs Rank = iota
	// Stops: the program ends or does not run.
	Stops
	// Wrong: results may be wrong.
	Wrong
	// Unset: results may depend on what memory held before.
	Unset
)

// Rules are the rules of a run, by their IDs.
type Rules map[string]Rule

// Level is how bad a finding is. Errors decide the exit code.
type Level uint8

// Levels from mildest to worst.
const (
	Info Level = iota
	Warning
	Error
)

var levelNames = [...]string{"info", "warning", "error"}

// String returns "info", "warning" or "error".
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("level(%d)", uint8(l))
}

// MarshalText writes the level's name.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the level's name.
func (l *Level) UnmarshalText(b []byte) error {
	v, err := ParseLevel(string(b))
	*l = v
	return err
}

// ParseLevel reads "info", "warning" or "error".
func ParseLevel(s string) (Level, error) {
	for i, n := range levelNames {
		if n == s {
			return Level(i), nil
		}
	}
	return 0, fmt.Errorf("unknown level %q: want info, warning or error", s)
}
