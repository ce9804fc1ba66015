package trace

// DefectKind classifies what is wrong though the kernel continues.
type DefectKind uint8

// The defects.
const (
	// DefectExcluded: lanes Mask execute an operation whose member mask leaves
	// them out.
	DefectExcluded DefectKind = iota
	// DefectNeverCame: the member mask names lanes Others, which were there when
	// lanes Mask came, and ended without coming.
	DefectNeverCame
	// DefectAbsent: lanes Mask read, in a shuffle, the value of lanes Others,
	// which do not take part in it.
	DefectAbsent
	// DefectOutside: lanes Mask access memory beyond the object that their
	// addresses are computed from, where something else lies.
	DefectOutside
	// DefectReturned: lanes Mask access local memory of a function that has returned, Meant its variable.
	DefectReturned
	// DefectScopeEnded: lanes Mask access local variable Meant after its scope has ended at End.
	DefectScopeEnded
	// DefectArrivedTwice: lanes Mask arrive at the barrier of a group, and have arrived
	// before without waiting since.
	DefectArrivedTwice
	// DefectNeverWaited: lanes Mask arrived at the barrier of a group, at Site, and ended
	// without waiting there.
	DefectNeverWaited
	// DefectTensorLeak: columns of tensor memory, those of Meant, that lanes Mask allocated at
	// Site are still allocated when the block ends.
	DefectTensorLeak
	// DefectArrivedEarly: lanes Mask arrive at an mbarrier whose phase has all of its arrivals
	// and waits for bytes only; no thread has seen it end.
	DefectArrivedEarly
	// DefectTensorLanes: a warp, lanes Mask, names lanes of tensor memory that are those of the first
	// warp of each four, and gets its own.
	DefectTensorLanes
	// DefectTensorRegister: lanes Mask access at Site a register of a load from tensor memory, Load, for
	// which the warp has not waited.
	DefectTensorRegister
	// DefectRegistersDiffer: a warp sets another number of registers than others of its warpgroup. DefectRegisterCount: it
	// decreases to more than it has, or increases to fewer. Both say so in Registers.
	DefectRegistersDiffer
	DefectRegisterCount
)

// Registers is what is wrong with the number of registers that setmaxnreg sets.
type Registers struct {
	// Want is that number, More is set for .inc.
	Want int
	More bool
	// Has is what each thread of the warp has, 0 where that does not matter.
	Has int
	// Other is where another warp of the warpgroup sets OtherWant, nil where none does.
	Other     *Site
	OtherWant int
	OtherMore bool
}

// Defect is something that device code does wrong, and with which a GPU, and
// so the engine, continues. For the operations of a warp see CUDA C++ Programming
// Guide, "Warp Shuffle Functions" and "Warp Vote Functions", and PTX ISA,
// "shfl.sync" and "bar.warp.sync".
type Defect struct {
	Kind DefectKind
	Site *Site
	// Callers are as those of Fault.
	Callers []*Site
	Warp    int
	// Mask are the lanes that it is about, Others those that it is about for them.
	Mask, Others uint32
	// Named is the member mask, Came the lanes that take part, Exist those that
	// have threads.
	Named, Came, Exist uint32
	// Of DefectOutside: the space, each lane's address and how many bytes it
	// accesses; Meant is the object that is meant, by its offset in shared or local
	// memory or by its address, and Hit the allocation that global memory has at
	// the address of the lowest lane.
	Space      Space
	Addr       *[32]uint64
	Size       uint64
	Meant, Hit Memory
	// Func is the mangled name of the function of DefectReturned.
	Func string
	// End is where the scope of DefectScopeEnded ended.
	End *Site
	// Load is the load of DefectTensorRegister.
	Load *Site
	// Registers is of setmaxnreg, nil for other defects.
	Registers *Registers
}
