// Package frames plays made-up sessions against a server: the requests of the protocol's
// table with values that are likely to get far, and some that break its rules. It is for
// tests.
package frames

import (
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"reflect"
	"slices"
	"time"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
)

// A Player plays one session, on one connection or a few.
type Player struct {
	// Connect opens a connection.
	Connect func() (*net.UnixConn, error)
	// Texts are strings that the server may take, as names of kernels; Blobs the same for
	// bytes, as modules and parameters.
	Texts []string
	Blobs [][]byte
	// Starts are lists of requests; most sessions begin with one of them.
	Starts [][]any

	rng   *rand.Rand
	token uint64
	conns []*net.UnixConn
	// known are numbers that the server has answered with, by what they are of; params are the
	// sizes of the kernels' parameters.
	known  map[string][]uint64
	params map[uint64]int
	// wild is set for a request that may break rules, queued if the session began with a
	// launch, so that few requests wait for it.
	wild, queued bool
}

// patience is how long a reply is waited for: another connection may have to act first.
const patience = 20 * time.Millisecond

// Play plays requests as data decides: each byte of it begins one. It returns how many were
// sent, and ends all connections.
func (p *Player) Play(data []byte) (sent int, err error) {
	defer func() {
		for _, c := range p.conns {
			c.Close()
		}
		p.conns = nil
	}()
	var seed [32]byte
	copy(seed[:], data)
	p.rng = rand.New(rand.NewChaCha8(seed))
	for _, b := range data {
		p.wild = false
		fresh := len(p.conns) == 0
		if fresh {
			if err := p.begin(); err != nil {
				return sent, err
			}
		}
		if fresh && p.rng.IntN(8) > 0 {
			for _, m := range pick(p, p.Starts) {
				if l, ok := m.(protocol.Launch); ok {
					p.queued = true
					p.fit(&l)
					m = l
				}
				sent++
				p.ask(p.conns[0], protocol.OpOf(reflect.TypeOf(m)), reflect.ValueOf(m))
			}
		}
		c, err := p.connection()
		if err != nil {
			return sent, err
		}
		sent++
		p.wild = p.rng.IntN(6) == 0 && c != p.conns[0]
		if !p.exchange(c, b) {
			c.Close()
			p.conns = slices.DeleteFunc(p.conns, func(x *net.UnixConn) bool { return x == c })
		}
	}
	return sent, nil
}

// begin starts a program. The server may not have seen yet that the last one is gone.
func (p *Player) begin() error {
	p.token = p.rng.Uint64()
	p.queued = false
	p.known, p.params = map[string][]uint64{}, map[uint64]int{}
	c, caps, err := p.open()
	if err != nil {
		return err
	}
	p.known["arena"] = []uint64{caps.ArenaBase, caps.HostBase, caps.ArenaBase + caps.ArenaSize}
	_, err = c.Read(make([]byte, 1)) // with the arena's file
	return err
}

// connection is one that is open, or a new one of the same program. The first of them is kept
// open by requests that break no rules, so that the program stays.
func (p *Player) connection() (*net.UnixConn, error) {
	const most = 3
	if n := len(p.conns); n == most || n > 1 && p.rng.IntN(16) > 0 {
		return p.conns[p.rng.IntN(n)], nil
	}
	c, _, err := p.open()
	return c, err
}

// open says hello.
func (p *Player) open() (c *net.UnixConn, caps protocol.Caps, err error) {
	if c, err = p.Connect(); err != nil {
		return nil, caps, err
	}
	p.conns = append(p.conns, c)
	c.SetDeadline(time.Now().Add(time.Minute))
	if !p.send(c, 1, protocol.Encode(nil, protocol.Hello{Version: protocol.Version(), Token: p.token})) || !p.receive(c, &caps) {
		return nil, caps, io.ErrUnexpectedEOF
	}
	return c, caps, nil
}

// often are the operations that are played more often than others.
var often = []protocol.Op{opOf[protocol.Copy](), opOf[protocol.Set](), opOf[protocol.Launch](), opOf[protocol.HostFunction](), opOf[protocol.Texture]()}

func opOf[T any]() protocol.Op { return protocol.OpOf(reflect.TypeFor[T]()) }

// waits are requests that wait for the device.
var waits = []string{"Free", "DeviceSync", "StreamSync", "EventSync", "Reset", "Bye", "Settle", "HostTurn"}

// exchange plays one request, and reports whether the connection is open.
func (p *Player) exchange(c *net.UnixConn, choice byte) bool {
	op := protocol.Op(int(choice)%len(protocol.Operations) + 1)
	if choice >= 192 {
		op = often[int(choice)%len(often)]
	}
	request := reflect.New(reflect.TypeOf(op.Operation().Request)).Elem()
	if p.queued && slices.Contains(waits, op.Operation().Name) && p.rng.IntN(16) > 0 {
		return true
	}
	p.fill(request, "")
	if async := request.FieldByName("Async"); async.IsValid() && p.queued {
		async.SetBool(true)
	}
	if launch, ok := request.Addr().Interface().(*protocol.Launch); ok && !p.wild {
		p.fit(launch)
	}
	return p.ask(c, op, request)
}

// fit gives a launch parameters that its kernel may have.
func (p *Player) fit(l *protocol.Launch) {
	l.Params = make([]byte, p.params[uint64(l.Kernel)])
	for at := 0; at+8 <= len(l.Params); at += 8 {
		binary.LittleEndian.PutUint64(l.Params[at:], p.number("Address"))
	}
}

// ask sends a request, changed if it is wild, and takes the reply.
func (p *Player) ask(c *net.UnixConn, op protocol.Op, request reflect.Value) bool {
	o := op.Operation()
	body := protocol.Encode(nil, request.Interface())
	if p.wild {
		body = p.damage(body)
	}
	c.SetDeadline(time.Now().Add(patience))
	if !p.send(c, op, body) {
		return false
	}
	if o.Name == "Touched" { // has no reply
		return true
	}
	reply := reflect.New(reflect.TypeOf(o.Reply))
	if !p.receive(c, reply.Interface()) {
		return false
	}
	p.remember(o.Name, reply.Elem())
	return o.Name != "Bye"
}

// damage cuts bytes off some messages, and changes bytes of others.
func (p *Player) damage(body []byte) []byte {
	switch p.rng.IntN(8) {
	case 0:
		return body[:p.rng.IntN(len(body)+1)]
	case 1:
		for range min(1+p.rng.IntN(4), len(body)) {
			body[p.rng.IntN(len(body))] = byte(p.rng.Uint32())
		}
	}
	return body
}

func (p *Player) send(c *net.UnixConn, op protocol.Op, body []byte) bool {
	device := uint8(0)
	if p.wild && p.rng.IntN(16) == 0 {
		device, op = uint8(p.rng.Uint32()), op+protocol.Op(p.rng.IntN(3))
	}
	b := protocol.Encode(make([]byte, 4), protocol.Head{Op: op, Device: device, Call: "call", Frames: make([]uint64, p.rng.IntN(3))})
	b = append(b, body...)
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	_, err := c.Write(b)
	return err == nil
}

func (p *Player) receive(c *net.UnixConn, reply any) bool {
	var length [4]byte
	if _, err := io.ReadFull(c, length[:]); err != nil {
		return false
	}
	b := make([]byte, binary.LittleEndian.Uint32(length[:]))
	if _, err := io.ReadFull(c, b); err != nil {
		return false
	}
	var head protocol.ReplyHead
	b, err := protocol.Decode(b, &head)
	if err == nil && len(b) > 0 {
		_, err = protocol.Decode(b, reply)
	}
	return err == nil
}

// What numbers are of. A field is of an address unless kindOf has it.
const address = "Address"

var kindOf = map[string]string{
	"Stream": "StreamCreate", "Event": "EventCreate", "Start": "EventCreate", "End": "EventCreate", "Triggered": "EventCreate", "Started": "EventCreate", "Begun": "EventCreate",
	"Handle": "Texture", "Module": "Load", "Kernel": "Function", "ID": "HostFunction",
}

// remember keeps the numbers of an operation's reply.
func (p *Player) remember(operation string, v reflect.Value) {
	switch reply := v.Addr().Interface().(type) {
	case *protocol.FunctionReply:
		for _, pa := range reply.Params {
			p.params[uint64(reply.ID)] = max(p.params[uint64(reply.ID)], int(pa.Offset+pa.Size))
		}
		p.keep(operation, uint64(reply.ID))
	case *protocol.LoadReply:
		p.keep(operation, uint64(reply.ID))
	case *protocol.StreamCreateReply:
		p.keep(operation, uint64(reply.Handle))
	case *protocol.EventCreateReply:
		p.keep(operation, uint64(reply.Handle))
	case *protocol.TextureReply:
		p.keep(operation, reply.Handle)
	case *protocol.HostFunctionReply:
		p.keep(operation, reply.ID)
	default:
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Uint64 && f.Uint() > 1<<32 {
				p.keep(address, f.Uint())
			}
		}
	}
}

func (p *Player) keep(kind string, n uint64) {
	const most = 16
	list := append(p.known[kind], n)
	if len(list) > most {
		list = slices.Delete(list, 1, 2)
	}
	p.known[kind] = list
}

// fill gives a value, and all that it consists of, made-up contents. name is that of the field.
func (p *Player) fill(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(p.rng.IntN(2) == 0)
	case reflect.Uint8:
		v.SetUint(uint64(p.small(name)))
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(p.number(name))
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(p.number(name)))
	case reflect.Float32:
		v.SetFloat(p.rng.NormFloat64() * 100)
	case reflect.String:
		v.SetString(pick(p, p.Texts))
	case reflect.Array:
		for i := range v.Len() {
			p.fill(v.Index(i), name)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			p.fill(v.Field(i), v.Type().Field(i).Name)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(slices.Clone(pick(p, p.Blobs)))
			return
		}
		n := p.rng.IntN(4)
		v.Grow(n)
		v.SetLen(n)
		for i := range n {
			p.fill(v.Index(i), name)
		}
	}
}

// small is a number of 8 bits: one of a few, of bits a multiple of 8.
func (p *Player) small(name string) int {
	switch {
	case p.wild && p.rng.IntN(4) == 0:
		return p.rng.IntN(256)
	case name == "Bits" || name == "Bytes":
		return pick(p, []int{4, 8, 8, 16, 32})
	case name == "Channels":
		return pick(p, []int{1, 2, 4})
	}
	return p.rng.IntN(4)
}

func pick[T any](p *Player, list []T) T { return list[p.rng.IntN(len(list))] }

// number is one that was answered, for what the field is of, or small. A wild one may be at a
// boundary too, or anything.
func (p *Player) number(name string) uint64 {
	small := uint64(p.rng.IntN(5))
	if p.wild {
		switch p.rng.IntN(8) {
		case 0:
			return ^uint64(0) >> p.rng.IntN(64)
		case 1:
			return 1<<p.rng.IntN(64) + small - 2
		case 2:
			return pick(p, p.known["arena"]) + small*4 - 8
		case 3:
			return p.rng.Uint64()
		}
	}
	switch name {
	case "X", "Y", "Z", "Height", "Depth":
		return 1 + small/4
	case "Kind":
		return small
	case "Number", "Flags", "Layers", "Limit", "Attribute":
		return small / 2
	case "Width":
		return 4 << p.rng.IntN(6)
	case "Size", "Pitch", "Slice", "DstPitch", "SrcPitch", "DstSlice", "SrcSlice", "Alignment", "Value":
		return 4 << p.rng.IntN(12)
	case "SharedDynamic":
		return small * 256
	}
	kind := kindOf[name]
	if kind == "" {
		kind = address
	}
	list := p.known[kind]
	if len(list) == 0 || kind != address && small == 0 { // as the default stream
		return small / 2
	}
	n := pick(p, list)
	if kind == address && small > 2 {
		n += small * 8
	}
	return n
}
