// Package fix repairs programs, and takes out synchronization that they do not need. Package repair proposes; here it is tried out.
//
// Fix, FixPerf and Tidy are lists of passes with a reason each (passes.go). The heart of all is a trial: the program is compiled
// with patches and runs under the default and eight other schedules, and each run is compared with the program as it is (try.go, judge.go).
//
// # When a patch holds
//
//   - The finding is gone, and no finding has come that the program did not have, under any schedule.
//   - The program ends as it did, and what it computes is the same where that was defined: elements that differ between runs of the
//     unchanged program may change (trial.Noise), and so may those that only wrong accesses wrote (count.go).
//   - It does not do less: launches, threads, waits and reading places of each kernel stay (accept.go).
//   - A race is gone in both orders (twin.go), and unconfirmed patches say so.
//
// Of patches that hold, the smallest that changes nothing else is taken (one.go, rank.go); those that others make
// unnecessary go again. The result is tried once more as the text that will be written. All of it is bounded in time (clock.go).
package fix
