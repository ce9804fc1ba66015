// Package shared detects data races in the shared memory of a block while a kernel runs.
//
// It keeps, for each 4-byte word, the accesses of the current barrier interval and compares
// each access with them by the block's happens-before order (package hb). Every pair of
// sites that races is found, not only the first at a location. launch.go and block.go take
// the events; quiet.go lets intervals be left out in which no access can race (package
// recall); access.go divides an access into runs, which runs.go keeps by lines of 32 words,
// and groups, which shadow.go keeps by word;
// compare.go compares, with values.go and written.go for what was written; async.go has copies
// in flight, sync.go barriers, flags, locks and mbarriers; evidence.go collects the reasons.
package shared
