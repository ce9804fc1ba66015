package global

import "github.com/warpgrind/warpgrind/internal/analysis/ownership"

// spare stops watching the sites that are proved safe: those on arrays of which the
// shape and the arguments of the launch imply that each byte belongs to one
// thread. What is found does not change, as such accesses race with none. It is not for
// launches whose blocks may synchronize, where accesses matter to what others mean.
func (d *Detector) spare() {
	if d.config.Private == nil {
		return
	}
	proof := d.config.Private(d.launch)
	if proof == nil {
		return
	}
	for i, s := range d.launch.Sites { // all must be understood, so that none reaches the others' arrays
		if d.watched[i] && !proof.Known[ownership.Site{Func: s.Func, Line: s.PTXLine}] {
			return
		}
	}
	for i, s := range d.launch.Sites {
		if d.watched[i] && proof.Safe[ownership.Site{Func: s.Func, Line: s.PTXLine}] {
			d.watched[i] = false
		}
	}
}
