package trace

// GridControl is a griddepcontrol by the lanes of Mask (PTX ISA, "griddepcontrol"):
// Wait is true for .wait, after which all that the grid depends on is complete and
// its memory visible, false for .launch_dependents, after which, once every block
// has executed it or ended, the grids that depend on this one may begin.
type GridControl struct {
	Site *Site
	Warp int
	Mask uint32
	Wait bool
}
