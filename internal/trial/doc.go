// Package trial runs one program, changed, and compares: it is the common ground of the commands that ask "what if".
//
//	Check      once, or under several schedules (run --runs): what some of them find, and what differs
//	Barriers   without each barrier in turn
//	Control    with a defect planted
//	Replay     one launch again, from a capsule
//	Minimize   a capsule, smaller and smaller while the finding stays
//
// A Multirun is a first run, as the user sees it, and further ones with a change each (Again). Runs are compared by the buffers after
// each launch (history.go), the output and the end; what differs between two runs of the unchanged program is noise and says
// nothing (noise.go). Order tells which launch of another run one of this run is, where a change lets launches run that were refused.
package trial
