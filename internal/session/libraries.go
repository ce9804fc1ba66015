package session

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// launchSites are the places on the host from which kernels were launched, for findings in kernels of
// header libraries: one entry for each run of launches from one place.
type launchSites struct{ list []launchSite }

type launchSite struct {
	first int // the ID of the first launch
	where string
}

func (s *launchSites) observer() *trace.Observer {
	return &trace.Observer{Enqueued: func(e *trace.Enqueued) {
		if n := len(s.list); n == 0 || s.list[n-1].where != e.Where {
			s.list = append(s.list, launchSite{e.Launch, e.Where})
		}
	}}
}

// of is the place that launched, unknown where there is none.
func (s *launchSites) of(launch int) source.Pos {
	i, found := slices.BinarySearchFunc(s.list, launch, func(l launchSite, id int) int { return l.first - id })
	if !found {
		i--
	}
	if i < 0 {
		return source.Pos{}
	}
	return source.ParsePos(s.list[i].where)
}

// fromLibraries moves findings from the code of header libraries to the calls of the user's.
func (s *launchSites) fromLibraries(fs []*finding.Finding) []*finding.Finding {
	out := make([]*finding.Finding, len(fs))
	for i, f := range fs {
		out[i] = f.FromLibrary(s.of)
	}
	return out
}
