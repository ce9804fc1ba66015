package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// IsSandbox reports whether Start has started this process to make it a sandbox.
func IsSandbox() bool { return len(os.Args) == 2 && os.Args[0] == argument0 }

// Enter makes this process a sandbox and replaces it by the program, if Start has started it
// for that; otherwise it returns at once. It comes first in main.
func Enter() {
	if !IsSandbox() {
		return
	}
	if os.Args[1] == "probe" {
		os.Exit(probed())
	}
	// What is set for a thread holds after execve, which is called on this one.
	runtime.LockOSThread()
	// So does the signal at the parent's death, which came to the thread that began the process, and which is not inherited.
	_ = unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0)
	closeOnExec(orderFD)
	closeOnExec(answerFD)
	var o order
	var a answer
	in := os.NewFile(orderFD, "order")
	err := json.NewDecoder(in).Decode(&o)
	in.Close()
	if err == nil {
		err = o.enter(&a)
	}
	if err != nil {
		a.Error = err.Error()
	}
	if json.NewEncoder(os.NewFile(answerFD, "answer")).Encode(&a) != nil || err != nil {
		os.Exit(1)
	}
	if len(o.Args) == 0 {
		o.Args = []string{o.Path}
	}
	err = o.execute(o.Path, o.Args, append(o.Env, "TMPDIR="+o.Scratch))
	fmt.Fprintf(os.Stderr, "%s: %v\n", o.Path, err)
	os.Exit(127)
}

// probed tries what only works with all rights in a user and a mount namespace.
func probed() int {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// enter sets up all layers, those first that the later ones forbid.
func (o *order) enter(a *answer) error {
	missing := func(what string, err error) {
		a.Held.Missing = append(a.Held.Missing, fmt.Sprintf("%s (%v)", what, err))
	}
	held := &a.Held
	held.Files, held.Network, held.Processes, held.Memory = []Layer{}, []Layer{}, []Layer{}, []Layer{}
	if o.Root != "" {
		if err := o.mounts(); err != nil {
			return err
		}
		add(Namespaces, &held.Files, &held.Network, &held.Processes)
	} else {
		held.Missing = append(held.Missing, o.Namespaces)
		if o.SharedOnFiles {
			held.Missing = append(held.Missing, "no bound of shared memory that processes hide (it takes namespaces)")
		}
		if err := os.Chdir(o.Scratch); err != nil {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	// No process leaves the tree whose memory is measured.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return err
	}
	switch err := o.landlock(); {
	case err == nil:
		add(Landlock, &held.Files)
	default:
		missing("no Landlock", err)
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if o.FixedAddresses {
		const noRandomization = 0x0040000 // personality(2), ADDR_NO_RANDOMIZE
		if _, _, errno := unix.Syscall(unix.SYS_PERSONALITY, noRandomization, 0, 0); errno != 0 {
			missing("no fixed addresses", errno)
		}
	}
	if err := o.limit(); err != nil {
		return err
	}
	add(Rlimits, &held.Memory)
	switch err := o.filter(); {
	case err == nil:
		add(Seccomp, &held.Network, &held.Processes)
	default:
		missing("no seccomp", err)
	}
	if held.Weak() && !o.AllowWeak {
		return errors.New("this machine cannot close off files and the network: it has neither user namespaces, nor Landlock with seccomp")
	}
	return nil
}

func add(l Layer, lists ...*[]Layer) {
	for _, list := range lists {
		*list = append(*list, l)
	}
}

// dropCapabilities gives up all rights of the superuser of the namespace.
func dropCapabilities() error {
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0) // of an ordinary user
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return unix.Capset(&header, &none[0])
}
