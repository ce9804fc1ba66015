package race

import (
	"fmt"
	"path/filepath"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// hostRace is a race of work in a stream with an access of the host.
type hostRace struct{ streamRace }

// hostFinding makes the finding of a race between a stream and the host; wait is the one
// that the host lacks.
func (c *checker) hostFinding(r *hostRace, wait string) *finding.Finding {
	d := Details{Space: "global", Address: r.first.lo, Bytes: int(r.n), Index: -1,
		First: r.u.side(r.a), Then: r.v.side(r.b)}
	object := r.object(&d)
	h := hazardOf(r.u.kind, r.v.kind)
	f := r.finding(h, "host")
	f.Message = fmt.Sprintf("%v on %s, between %s and the host", h, object, r.u.short())
	d.Cause, d.Repair, d.Reason, f.Help = r.why()
	if d.Cause == HostUnordered {
		d.Origin = wait
	}
	f.Level, _ = c.policy.Host.Or(r.level())
	f.Notes = []string{r.order(), "the host waited last for " + r.b.synced, d.Reason, fmt.Sprintf("%s shared", check.Plural(r.n, "byte"))}
	d.facts(f, by(d.Repair, f.Help))
	f.Details = d
	return f
}

// level is that of a race: what is wrong with an atomic of narrow scope shows
// only where the host writes as well.
func (r *hostRace) level() finding.Level {
	if r.u.strong && r.v.strong && r.v.kind == trace.Read {
		return finding.Warning
	}
	return finding.Error
}

// why tells the reason and the smallest change that helps.
func (r *hostRace) why() (c Cause, p Repair, reason, help string) {
	if r.u.strong && r.v.strong {
		return NarrowScope, WidenScope, "scope too narrow: the operation of " + r.u.short() + " is atomic for the threads of the device only",
			"use the atomic of system scope (atomicAdd_system, cuda::thread_scope_system), or let the host wait: " + r.wait()
	}
	if r.v.strong && r.v.kind == trace.Read && r.u.site != nil && !r.u.strong {
		return NotVolatile, MakeVolatile, "the host reads this as a flag, but the write of " + r.u.short() + " is a plain one",
			"make the flag volatile or a cuda::atomic_ref on both sides, with __threadfence_system() before it is set, or let the host wait: " + r.wait()
	}
	if flag := r.a.flag; flag != nil && flag != r.u {
		return r.flagReason(flag)
	}
	return HostUnordered, HostWait, "nothing orders the two: the host has not waited for " + r.u.short() + ", which may still be on its way", r.help()
}

// flagReason is the reason where the host has seen a flag of the same kernel.
func (r *hostRace) flagReason(flag *use) (Cause, Repair, string, string) {
	line := check.Where(flag.site, r.u.file())
	help := "call __threadfence_system() between writing the data and setting the flag, or let the host wait: " + r.wait()
	if flag.released[trace.ScopeGPU] != nil {
		return NarrowScope, WidenScope, "scope too narrow: the fence before " + line + ", whose flag the host has read, orders for the threads of the device only", help
	}
	return NoFence, AddFence, "the host has read the flag that " + line + " sets, but no fence of system scope comes before that", help
}

// order says who came first.
func (r *hostRace) order() string {
	return fmt.Sprintf("first %s in %s, then %s", r.u.what(r.a), r.a.name, r.v.hostWhat())
}

// hostWhat is an access of the host.
func (u *use) hostWhat() string {
	s := "the host's " + [...]string{"read", "write", "update"}[u.kind]
	if u.where != "" {
		s += " at " + u.where
	}
	return s
}

// file is where a use of a kernel is, or "".
func (u *use) file() string {
	if u.site == nil {
		return ""
	}
	return u.site.Loc.File
}

func (u *use) short() string {
	if u.launch == nil {
		return u.call
	}
	return "kernel " + u.kernel()
}

func (u *use) kernel() string { return finding.DemangleName(u.launch.Kernel) }

// wait names the call that waits for the stream.
func (r *hostRace) wait() string {
	if isLegacy(r.a.stream) {
		return "cudaDeviceSynchronize"
	}
	return "cudaStreamSynchronize for " + r.a.name + ", or cudaDeviceSynchronize,"
}

func (r *hostRace) help() string {
	at := "before"
	if r.v.where != "" {
		at += " " + filepath.Base(r.v.where)
	} else {
		at += " the host's access"
	}
	return "call " + r.wait() + " " + at
}
