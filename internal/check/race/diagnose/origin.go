package diagnose

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Origins are keys, for joining findings that lack the same thing.

// originAt names what is missing at a site.
func (d *diagnosis) originAt(what string, s *trace.Site) string {
	return what + " " + d.run.Launch.Kernel + " " + check.SiteKey(s)
}

func originUnawaited(d *diagnosis) string { return d.originAt("await", d.unawaited.Arrive) }
func originInFlight(d *diagnosis) string  { return "wait " + d.run.Launch.Kernel }
func originPhase(d *diagnosis) string     { return "phase " + d.run.Launch.Kernel }
func originTest(d *diagnosis) string      { return d.originAt("test", d.test.read) }
func originLost(d *diagnosis) string      { return d.originAt("update", d.lost.read) }
func originPlain(d *diagnosis) string     { return "plain " + d.plain.Loc.Pos.String() }
func originSignal(d *diagnosis) string    { return d.originAt("release", d.flagOf(d.writer())) }
func originTicket(d *diagnosis) string    { return d.originAt("release", d.unfenced()) }
func originAcquire(d *diagnosis) string {
	return d.originAt("acquire", d.flagOf(d.w.Link.Acquire.Site))
}

func originPolled(d *diagnosis) string {
	if d.waits == nil {
		return ""
	}
	return d.originAt("plain", d.waits)
}

func originLink(d *diagnosis) string {
	if !d.w.Link.OK {
		return ""
	}
	return d.originAt("release", d.flagOf(d.w.Link.Site))
}

// originStreams is the place in time where one stream lacks a wait for the other: races
// of all that comes behind it with what the other had been given are of one cause.
func originStreams(d *diagnosis) string {
	return fmt.Sprintf("order of %s before %s after work %d", streamName(d.work.First.Name), streamName(d.work.Then.Name), d.work.Known)
}

func originHost(d *diagnosis) string {
	return fmt.Sprintf("wait %d of the host for %s", d.work.MissingWait, streamName(d.work.First.Name))
}

func originWait(d *diagnosis) string       { return "wait of " + short(d.work.Then.Use) }
func originWaitBefore(d *diagnosis) string { return "wait of " + kernelBefore(d) }
