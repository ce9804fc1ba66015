// Package suite is many checks as one: which jobs there are in capsules and programs, which of
// them a shard does, and the same work written down for the engines that run it on many
// machines. It is not a scheduler: engines decide where and when, and Slurm, Kubernetes, Bazel
// and test frameworks tell a process which shard it is in variables of their own.
//
//	capsules, programs ── NewPlan, Split ──► Plan: jobs in a fixed order
//	                                          │ Shard.Of: job i belongs to shard i mod n
//	                                          ▼
//	                               command lines of warpgrind, whose reports report.Merge joins
//
// A job's ID is made from its contents and flags. The same capsules and flags are the same
// plan on each machine.
package suite
