// Package userfile opens and reads files that users name. They may be anything that a path can lead to: a pipe to which no process writes, a
// device without an end, a folder, a file that takes no room and seems to have terabytes.
package userfile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// most bounds what Read reads of one file: larger sources, objects and reports do not occur.
var most int64 = 1 << 30

// Open opens a file for reading. A named pipe is refused: to open one blocks until a process writes to it, and no signal ends that. A
// pipe without a name, as of a shell's <(command), is open already. Folders and devices are refused, too, but /dev/null.
func Open(name string) (*os.File, error) {
	if err := Check(name); err != nil {
		return nil, err
	}
	// What is there now may be something else: it is not waited for either.
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil {
		err = refused(name, st)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Check returns the error of Open for a file that another program is to read.
func Check(name string) error {
	st, err := os.Stat(name)
	if err != nil {
		return err
	}
	return refused(name, st)
}

func refused(name string, st fs.FileInfo) error {
	switch {
	case st.IsDir():
		return fmt.Errorf("%s: is a directory", name)
	case st.Mode()&fs.ModeDevice != 0:
		if null, err := os.Stat(os.DevNull); err != nil || !os.SameFile(st, null) {
			return fmt.Errorf("%s: is a device", name)
		}
	case st.Mode()&fs.ModeSocket != 0:
		return fmt.Errorf("%s: is a socket", name)
	case st.Mode()&fs.ModeNamedPipe != 0:
		if _, err := filepath.EvalSymlinks(name); err == nil { // of /dev/fd/63 it leads to no file
			return fmt.Errorf("%s: is a named pipe", name)
		}
	}
	return nil
}

// Read reads a file, which has to end within a gigabyte.
func Read(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	tooLong := fmt.Errorf("%s: has more than %d bytes", name, most)
	if st.Size() > most {
		return nil, tooLong
	}
	text := make([]byte, 0, max(st.Size(), 512)+1)
	for {
		n, err := f.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case err == io.EOF:
			return text, nil
		case err != nil:
			return nil, err
		case int64(len(text)) > most:
			return nil, tooLong
		}
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
	}
}

// mostHashed bounds the files that Hash reads, of which a program is the longest: that takes seconds.
const mostHashed = 16 << 30

// Hash is the SHA-256 of a file in hexadecimal digits.
func Hash(name string) (string, error) {
	f, err := Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	st, err := f.Stat()
	if err == nil && st.Size() <= mostHashed {
		_, err = io.Copy(h, io.LimitReader(f, mostHashed))
	} else if err == nil {
		err = fmt.Errorf("%s: has more than %d bytes", name, int64(mostHashed))
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// Create makes or empties a file for writing. A named pipe that no process reads is refused: to open one blocks, or what is written is lost.
func Create(name string) (*os.File, error) {
	return openToWrite(name, os.O_TRUNC)
}

// Append is Create for writing behind what is there.
func Append(name string) (*os.File, error) {
	return openToWrite(name, os.O_APPEND)
}

func openToWrite(name string, how int) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|syscall.O_NONBLOCK|how, 0o666)
	if errors.Is(err, syscall.ENXIO) {
		return nil, fmt.Errorf("%s: is a named pipe that no process reads, a socket or a device", name)
	}
	return f, err
}

// Write makes a file with a text.
func Write(name string, text []byte) error {
	f, err := Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
