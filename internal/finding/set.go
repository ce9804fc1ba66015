package finding

import "slices"

// Set holds findings by cause. Adding the same findings in any order gives the
// same set. The zero Set is ready; it is not safe for concurrent use.
type Set struct {
	byKey map[setKey]*Finding
}

type setKey struct{ rule, kernel, key string }

// Has reports whether there is a finding of f's cause.
func (s *Set) Has(f *Finding) bool { return s.byKey[setKey{f.Rule, f.Kernel, f.Key}] != nil }

// Len returns the number of causes.
func (s *Set) Len() int { return len(s.byKey) }

// Add puts f in the set, merging it with an earlier finding of the same Rule,
// Kernel and Key: counts and launches add up, the level is the worst of both,
// and all else comes from the smaller witness. f belongs to the set afterwards.
func (s *Set) Add(f *Finding) {
	if s.byKey == nil {
		s.byKey = map[setKey]*Finding{}
	}
	if f.KernelName == "" {
		f.KernelName = Demangle(f.Kernel)
	}
	k := setKey{f.Rule, f.Kernel, f.Key}
	if old, ok := s.byKey[k]; ok {
		f = merge(old, f)
	}
	s.byKey[k] = f
}

// AddAll adds each of fs.
func (s *Set) AddAll(fs []*Finding) {
	for _, f := range fs {
		s.Add(f)
	}
}

// Sorted returns the findings in the order of a report: level (errors first),
// kernel, place, rule.
func (s *Set) Sorted() []*Finding {
	fs := make([]*Finding, 0, len(s.byKey))
	for _, f := range s.byKey {
		fs = append(fs, f)
	}
	Sort(fs)
	return fs
}

// Sort puts findings in the order of a report.
func Sort(fs []*Finding) {
	slices.SortStableFunc(fs, (*Finding).compare)
}

// merge joins two findings of one cause. The worse level wins before the
// witness does, so that an error's text is not replaced by a warning's.
func merge(a, b *Finding) *Finding {
	keep, other := a, b
	if b.Level > a.Level || b.Level == a.Level && !a.witnessLess(b) {
		keep, other = b, a
	}
	m := *keep
	m.Count = a.Count + b.Count
	m.Launches = a.Launches.Union(b.Launches)
	if a.Object.Same(b.Object) {
		m.Range = a.Range.With(b.Range)
	}
	if a.Hit.Same(b.Hit) {
		m.HitRange = a.HitRange.With(b.HitRange)
	}
	if d, ok := keep.Details.(Merger); ok {
		m.Details = d.Merged(other.Details)
	}
	return &m
}
