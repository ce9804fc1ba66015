package capsule

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"
)

// store is the objects below a directory.
type store struct {
	root *os.Root
	enc  *zstd.Encoder
	dec  *zstd.Decoder
}

// maxObject bounds an object in bytes: the longest is a module's PTX.
const maxObject = 256 << 20

func openStore(dir string) (*store, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	s := &store{root: root}
	if s.enc, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)); err != nil {
		return nil, err
	}
	s.dec, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxObject))
	return s, err
}

func (s *store) close() error {
	s.dec.Close()
	return s.root.Close()
}

// file is where an object is, below the directory. The hash has been checked.
func (o Object) file() string { return filepath.Join("objects", o.Hash[:2], o.Hash+".zst") }

// put stores contents, unless they are stored.
func (s *store) put(data []byte) (Object, error) {
	sum := sha256.Sum256(data)
	o := Object{hex.EncodeToString(sum[:]), uint64(len(data))}
	name := o.file()
	if _, err := s.root.Stat(name); err == nil {
		return o, nil
	}
	if err := s.root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return o, err
	}
	return o, s.write(name, s.enc.EncodeAll(data, nil))
}

// write makes a file at once: a reader, or another recorder, sees all of it or none.
func (s *store) write(name string, data []byte) error {
	temp := fmt.Sprintf("%s.%d", name, os.Getpid())
	err := s.root.WriteFile(temp, data, 0o666)
	if err == nil {
		err = s.root.Rename(temp, name)
	}
	if err != nil {
		_ = s.root.Remove(temp)
	}
	return err
}

// open opens a regular file; what else has its name does not block.
func (s *store) open(name string) (*os.File, error) {
	f, err := s.root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		f.Close()
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	return f, nil
}

// check reports whether an object's name is one, and its size at most limit.
func (o Object) check(limit uint64) error {
	if b, err := hex.DecodeString(o.Hash); err != nil || len(b) != sha256.Size || hex.EncodeToString(b) != o.Hash {
		return fmt.Errorf("%q is not a SHA-256 in hexadecimal", o.Hash)
	}
	if o.Size > limit {
		return fmt.Errorf("object %s of %d bytes, at most %d", o.Hash[:12], o.Size, limit)
	}
	return nil
}

// get reads an object, at most limit bytes, and checks that it is the one that is meant.
func (s *store) get(o Object, limit uint64) ([]byte, error) {
	if err := o.check(limit); err != nil {
		return nil, err
	}
	f, err := s.open(o.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("object %s is missing", o.Hash)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// zstd makes nothing longer by more than its frame.
	packed, err := io.ReadAll(io.LimitReader(f, int64(o.Size+o.Size/8+1<<10)))
	if err != nil {
		return nil, err
	}
	if err := s.dec.Reset(bytes.NewReader(packed)); err != nil {
		return nil, fmt.Errorf("object %s: %w", o.Hash, err)
	}
	data := make([]byte, o.Size)
	if _, err := io.ReadFull(s.dec, data); err != nil {
		return nil, fmt.Errorf("object %s is damaged: %w", o.Hash, err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != o.Hash {
		return nil, fmt.Errorf("object %s is damaged: its contents have another hash", o.Hash)
	}
	return data, nil
}
