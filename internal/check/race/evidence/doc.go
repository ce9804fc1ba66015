// Package evidence is the common record of races: what detectors yield and diagnoses are
// made from, without a sentence in it.
//
// A Pair is two sites that race, with a Witness for each hazard: two Accesses, the Place
// that they share, and the Evidence about why nothing orders them. A Run is a launch with
// its pairs (run.go). The evidence is collected by logs that the detectors keep next to
// their histories: barriers that threads passed (passed.go), locks (locks.go), flags by
// which threads release and acquire (flags.go), and arrivals and
// waits at barriers (visits.go).
package evidence
