package sandbox

import (
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// forbidden are system calls that a compiler, its output and an emulator have no use for: they
// look into other processes, reach the network, set up a kernel's larger interfaces, or change
// what the machine is; and those for memory that no process need hold.
var forbidden = []uintptr{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_OPEN,
	unix.SYS_SETNS, unix.SYS_UNSHARE,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN,
	unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, unix.SYS_FANOTIFY_INIT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_PERSONALITY, unix.SYS_LOOKUP_DCOOKIE,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN,
	unix.SYS_MEMFD_SECRET, unix.SYS_VMSPLICE,
	unix.SYS_MBIND, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES, unix.SYS_SET_MEMPOLICY,
}

// sockets are the system calls for sockets.
var sockets = []uintptr{unix.SYS_SOCKET, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4}

// namespaceFlags are those of clone(2) that make namespaces.
const namespaceFlags = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
	unix.CLONE_NEWPID | unix.CLONE_NEWNET

// The fields of struct seccomp_data that are looked at, and what becomes of a call
// (seccomp(2)). The C library calls clone where clone3, whose flags a filter cannot see, is missing.
const (
	dataNumber = 0
	dataArch   = 4
	dataFirst  = 16 // the lower half of the first argument, little endian
	dataThird  = dataFirst + 2*8
	dataFourth = dataFirst + 3*8

	allowed  = unix.SECCOMP_RET_ALLOW
	refused  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	absent   = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	noMemory = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOMEM)
	killed   = unix.SECCOMP_RET_KILL_PROCESS

	x32 = 0x40000000
)

// architectures are those of this program's own system calls (linux/audit.h).
var architectures = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// filter keeps the thread from system calls that it has no use for, those of other
// architectures among them.
func (o *order) filter() error {
	arch, known := architectures[runtime.GOARCH]
	if !known {
		return unix.ENOSYS
	}
	calls := forbidden
	if o.Root == "" { // other processes are there
		calls = append(slices.Clone(calls), unix.SYS_KILL, unix.SYS_SETSID)
	}
	if o.Alone {
		calls = append(slices.Clone(calls), forks...)
	}
	// Without namespaces, abstract names of sockets would be those of the machine.
	local := o.LocalSockets && (o.Root != "" || o.AllowWeak)
	if !local {
		calls = append(slices.Clone(calls), sockets...)
	}
	hidden := o.Alone && o.MemoryFile == 0 || o.SharedOnFiles && o.Root != ""
	if hidden {
		calls = append(slices.Clone(calls), unix.SYS_MEMFD_CREATE)
	}
	p := filterProgram(arch, calls, filtered{alone: o.Alone, local: local, unshared: hidden})
	f := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&f)))
	if errno != 0 {
		return errno
	}
	return nil
}

// filtered is what becomes of calls by their arguments.
type filtered struct {
	alone    bool // new processes are refused
	local    bool // sockets are those of Unix only, with buffers of the usual size; otherwise the calls decide
	unshared bool // memory that is shared, and has no file, is refused
}

// filterProgram is the filter in classic BPF: calls are refused, and others by their arguments.
func filterProgram(arch uint32, calls []uintptr, f filtered) []unix.SockFilter {
	load := func(field uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: field}
	}
	ret := func(what uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what} }
	// jump skips so many instructions if the condition holds, or if it does not.
	jump := func(condition uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | condition | unix.BPF_K, Jt: yes, Jf: no, K: k}
	}
	p := []unix.SockFilter{load(dataArch), jump(unix.BPF_JEQ, arch, 1, 0), ret(killed), load(dataNumber)}
	if arch == unix.AUDIT_ARCH_X86_64 {
		p = append(p, jump(unix.BPF_JGE, x32, 0, 1), ret(killed))
	}
	for _, nr := range calls {
		p = append(p, jump(unix.BPF_JEQ, uint32(nr), 0, 1), ret(refused))
	}
	if f.local {
		p = append(p, jump(unix.BPF_JEQ, unix.SYS_SOCKET, 0, 4), load(dataFirst), jump(unix.BPF_JEQ, unix.AF_UNIX, 0, 1), ret(allowed), ret(refused),
			jump(unix.BPF_JEQ, unix.SYS_SETSOCKOPT, 0, 4), load(dataThird), jump(unix.BPF_JEQ, unix.SO_SNDBUF, 0, 1), ret(refused), ret(allowed))
	}
	if f.unshared { // MAP_SHARED is a bit of MAP_SHARED_VALIDATE, and none of MAP_PRIVATE
		p = append(p, jump(unix.BPF_JEQ, unix.SYS_MMAP, 0, 5), load(dataFourth), jump(unix.BPF_JSET, unix.MAP_ANONYMOUS, 0, 2),
			jump(unix.BPF_JSET, unix.MAP_SHARED, 0, 1), ret(noMemory), ret(allowed))
	}
	p = append(p, jump(unix.BPF_JEQ, unix.SYS_CLONE3, 0, 1), ret(absent),
		jump(unix.BPF_JEQ, unix.SYS_CLONE, 1, 0), ret(allowed), load(dataFirst))
	p = append(p, jump(unix.BPF_JSET, namespaceFlags, 0, 1), ret(refused))
	if f.alone {
		p = append(p, jump(unix.BPF_JSET, unix.CLONE_THREAD, 1, 0), ret(refused))
	}
	return append(p, ret(allowed))
}
