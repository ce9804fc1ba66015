// The operations of the socket protocol and their messages. Generated from
// internal/host/protocol by its tests (-update); do not edit.
#pragma once

#include "wire.h"

namespace warpgrind {

constexpr uint32_t kProtocolVersion = 0x14133655;


enum class Op : uint32_t {
  Hello = 1,
  Bye = 2,
  Load = 3,
  LoadLinked = 4,
  Unpack = 5,
  Unload = 6,
  Compile = 7,
  Library = 8,
  Function = 9,
  FuncAttribute = 10,
  Occupancy = 11,
  Variable = 12,
  Launch = 13,
  Alloc = 14,
  Free = 15,
  Copy = 16,
  Stage = 17,
  Set = 18,
  WriteValue = 19,
  WaitValue = 20,
  MemInfo = 21,
  PointerInfo = 22,
  Reserve = 23,
  Unreserve = 24,
  Map = 25,
  Contents = 26,
  Unmap = 27,
  StreamCreate = 28,
  StreamDestroy = 29,
  StreamInfo = 30,
  StreamSync = 31,
  StreamWait = 32,
  EventCreate = 33,
  EventOpen = 34,
  EventDestroy = 35,
  EventRecord = 36,
  EventSync = 37,
  EventElapsed = 38,
  DeviceSync = 39,
  Reset = 40,
  SetLimit = 41,
  Texture = 42,
  TextureFree = 43,
  Name = 44,
  Unsupported = 45,
  Misuse = 46,
  Unread = 47,
  Failed = 48,
  HostAccess = 49,
  Touched = 50,
  Settle = 51,
  HostFunction = 52,
  HostTurn = 53,
  HostEnd = 54,
  Operator = 55,
  RanksID = 56,
  RanksJoin = 57,
  RanksLeave = 58,
  RanksPost = 59,
  RanksAwait = 60,
  RanksTake = 61,
  RanksDone = 62,
};

enum class MisuseKind : uint8_t {
  Other = 0,
  Pitch = 1,
  Variable = 2,
};

enum class OccupancyOf : uint8_t {
  Blocks = 0,
  Shared = 1,
  Cluster = 2,
};

enum class Carrier : uint8_t {
  Now = 0,
  Later = 1,
  Staged = 2,
};

enum class ValueCondition : uint8_t {
  Greater = 0,
  Equal = 1,
  And = 2,
  Nor = 3,
};

enum class Named : uint8_t {
  Stream = 0,
  Memory = 1,
  Other = 2,
};

enum class RankWay : uint8_t {
  All = 0,
  Sends = 1,
  Receives = 2,
};

enum class RankProblem : uint8_t {
  Fits = 0,
  UnknownID = 1,
  OtherSize = 2,
  Taken = 3,
};

enum class RankAbsence : uint8_t {
  Came = 0,
  Quiet = 1,
  Left = 2,
  Ended = 3,
};

namespace protocol {

struct Head {
  Op op;
  uint8_t device;
  std::string_view call;
  std::string_view place;
  List<uint64_t> frames;
  Head(Op op, uint8_t device, std::string_view call, std::string_view place, List<uint64_t> frames)
      : op(op), device(device), call(call), place(place), frames(frames) {}
  template <class Wire> void fields(Wire &wire) const { wire(op, device, call, place, frames); }
};

struct ReplyHead {
  int32_t code{};
  int32_t sticky{};
  std::string text{};
  template <class Wire> void fields(Wire &wire) { wire(code, sticky, text); }
};

struct Caps {
  uint64_t sm{};
  uint64_t maxThreads{};
  std::array<uint64_t, 3> maxBlock{};
  std::array<uint64_t, 3> maxGrid{};
  uint64_t sharedPerBlock{};
  uint64_t sharedOptin{};
  uint64_t sharedPerSM{};
  uint64_t threadsPerSM{};
  uint64_t blocksPerSM{};
  uint64_t regsPerSM{};
  uint64_t multiprocessors{};
  uint64_t totalMem{};
  uint64_t arenaBase{};
  uint64_t arenaSize{};
  uint64_t hostBase{};
  uint64_t devices{};
  bool watch{};
  bool starter{};
  std::string socket{};
  template <class Wire> void fields(Wire &wire) { wire(sm, maxThreads, maxBlock, maxGrid, sharedPerBlock, sharedOptin, sharedPerSM, threadsPerSM, blocksPerSM, regsPerSM, multiprocessors, totalMem, arenaBase, arenaSize, hostBase, devices, watch, starter, socket); }
};

struct Hello {
  static constexpr Op op = Op::Hello;
  using Reply = Caps;
  uint32_t version;
  uint64_t token;
  std::string_view exe;
  Hello(uint32_t version, uint64_t token, std::string_view exe)
      : version(version), token(token), exe(exe) {}
  template <class Wire> void fields(Wire &wire) const { wire(version, token, exe); }
};

struct None {
  template <class Wire> void fields(Wire &wire) { wire(); }
};

struct Bye {
  static constexpr Op op = Op::Bye;
  using Reply = None;
  template <class Wire> void fields(Wire &wire) const { wire(); }
};

struct LoadReply {
  uint32_t id{};
  std::string log{};
  std::vector<std::string> kernels{};
  template <class Wire> void fields(Wire &wire) { wire(id, log, kernels); }
};

struct Part {
  Blob meta;
  Blob ptx;
  Part(Blob meta, Blob ptx)
      : meta(meta), ptx(ptx) {}
  template <class Wire> void fields(Wire &wire) const { wire(meta, ptx); }
};

struct Load {
  static constexpr Op op = Op::Load;
  using Reply = LoadReply;
  Part module;
  Batch<std::string_view> managed;
  Load(Part module, Batch<std::string_view> managed)
      : module(module), managed(managed) {}
  template <class Wire> void fields(Wire &wire) const { wire(module, managed); }
};

struct LoadLinkedReply {
  uint32_t first{};
  template <class Wire> void fields(Wire &wire) { wire(first); }
};

struct LoadLinked {
  static constexpr Op op = Op::LoadLinked;
  using Reply = LoadLinkedReply;
  Batch<Part> parts;
  Batch<std::string_view> managed;
  LoadLinked(Batch<Part> parts, Batch<std::string_view> managed)
      : parts(parts), managed(managed) {}
  template <class Wire> void fields(Wire &wire) const { wire(parts, managed); }
};

struct UnpackReply {
  Bytes ptx{};
  template <class Wire> void fields(Wire &wire) { wire(ptx); }
};

struct Unpack {
  static constexpr Op op = Op::Unpack;
  using Reply = UnpackReply;
  Batch<Blob> images;
  Unpack(Batch<Blob> images)
      : images(images) {}
  template <class Wire> void fields(Wire &wire) const { wire(images); }
};

struct Unload {
  static constexpr Op op = Op::Unload;
  using Reply = None;
  uint32_t module;
  Unload(uint32_t module)
      : module(module) {}
  template <class Wire> void fields(Wire &wire) const { wire(module); }
};

struct CompileReply {
  bool ok{};
  std::string log{};
  std::string ptx{};
  std::vector<std::string> lowered{};
  template <class Wire> void fields(Wire &wire) { wire(ok, log, ptx, lowered); }
};

struct SourceHeader {
  std::string_view name;
  std::string_view text;
  SourceHeader(std::string_view name, std::string_view text)
      : name(name), text(text) {}
  template <class Wire> void fields(Wire &wire) const { wire(name, text); }
};

struct Compile {
  static constexpr Op op = Op::Compile;
  using Reply = CompileReply;
  std::string_view name;
  std::string_view source;
  Batch<SourceHeader> headers;
  Batch<std::string_view> options;
  Batch<std::string_view> names;
  Compile(std::string_view name, std::string_view source, Batch<SourceHeader> headers, Batch<std::string_view> options, Batch<std::string_view> names)
      : name(name), source(source), headers(headers), options(options), names(names) {}
  template <class Wire> void fields(Wire &wire) const { wire(name, source, headers, options, names); }
};

struct LibraryReply {
  std::string text{};
  template <class Wire> void fields(Wire &wire) { wire(text); }
};

struct Library {
  static constexpr Op op = Op::Library;
  using Reply = LibraryReply;
  std::string_view library;
  std::string_view module;
  Library(std::string_view library, std::string_view module)
      : library(library), module(module) {}
  template <class Wire> void fields(Wire &wire) const { wire(library, module); }
};

struct Param {
  uint32_t offset{};
  uint32_t size{};
  template <class Wire> void fields(Wire &wire) { wire(offset, size); }
};

struct FunctionReply {
  uint32_t id{};
  uint32_t sharedBytes{};
  uint32_t localBytes{};
  uint32_t registers{};
  uint32_t maxThreads{};
  uint32_t target{};
  uint32_t maxDynamicShared{};
  uint64_t constBytes{};
  Dim3 cluster{};
  std::vector<Param> params{};
  template <class Wire> void fields(Wire &wire) { wire(id, sharedBytes, localBytes, registers, maxThreads, target, maxDynamicShared, constBytes, cluster, params); }
};

struct Function {
  static constexpr Op op = Op::Function;
  using Reply = FunctionReply;
  uint32_t module;
  std::string_view name;
  Function(uint32_t module, std::string_view name)
      : module(module), name(name) {}
  template <class Wire> void fields(Wire &wire) const { wire(module, name); }
};

struct FuncAttribute {
  static constexpr Op op = Op::FuncAttribute;
  using Reply = None;
  uint32_t kernel;
  uint32_t attribute;
  int32_t value;
  FuncAttribute(uint32_t kernel, uint32_t attribute, int32_t value)
      : kernel(kernel), attribute(attribute), value(value) {}
  template <class Wire> void fields(Wire &wire) const { wire(kernel, attribute, value); }
};

struct OccupancyReply {
  uint64_t value{};
  template <class Wire> void fields(Wire &wire) { wire(value); }
};

struct Occupancy {
  static constexpr Op op = Op::Occupancy;
  using Reply = OccupancyReply;
  uint32_t kernel;
  OccupancyOf what;
  int32_t blockSize;
  uint64_t given;
  Occupancy(uint32_t kernel, OccupancyOf what, int32_t blockSize, uint64_t given)
      : kernel(kernel), what(what), blockSize(blockSize), given(given) {}
  template <class Wire> void fields(Wire &wire) const { wire(kernel, what, blockSize, given); }
};

struct VariableReply {
  Pointer address{};
  uint64_t size{};
  template <class Wire> void fields(Wire &wire) { wire(address, size); }
};

struct Variable {
  static constexpr Op op = Op::Variable;
  using Reply = VariableReply;
  uint32_t module;
  std::string_view name;
  Variable(uint32_t module, std::string_view name)
      : module(module), name(name) {}
  template <class Wire> void fields(Wire &wire) const { wire(module, name); }
};

struct LaunchReply {
  uint32_t number{};
  template <class Wire> void fields(Wire &wire) { wire(number); }
};

struct Launch {
  static constexpr Op op = Op::Launch;
  using Reply = LaunchReply;
  uint32_t kernel;
  bool unconfigured;
  bool cooperative;
  bool programmatic;
  bool mayOverlap;
  Dim3 cluster;
  Dim3 grid;
  Dim3 block;
  uint64_t sharedDynamic;
  StreamNumber stream;
  Pointer triggered;
  Pointer started;
  Pointer begun;
  Blob params;
  Launch(uint32_t kernel, bool unconfigured, bool cooperative, bool programmatic, bool mayOverlap, Dim3 cluster, Dim3 grid, Dim3 block, uint64_t sharedDynamic, StreamNumber stream, Pointer triggered, Pointer started, Pointer begun, Blob params)
      : kernel(kernel), unconfigured(unconfigured), cooperative(cooperative), programmatic(programmatic), mayOverlap(mayOverlap), cluster(cluster), grid(grid), block(block), sharedDynamic(sharedDynamic), stream(stream), triggered(triggered), started(started), begun(begun), params(params) {}
  template <class Wire> void fields(Wire &wire) const { wire(kernel, unconfigured, cooperative, programmatic, mayOverlap, cluster, grid, block, sharedDynamic, stream, triggered, started, begun, params); }
};

struct AllocReply {
  Pointer address{};
  template <class Wire> void fields(Wire &wire) { wire(address); }
};

struct Alloc {
  static constexpr Op op = Op::Alloc;
  using Reply = AllocReply;
  uint8_t kind;
  uint64_t size;
  uint64_t width;
  uint64_t pitch;
  bool inStream;
  StreamNumber stream;
  Pointer at;
  Alloc(uint8_t kind, uint64_t size, uint64_t width, uint64_t pitch, bool inStream, StreamNumber stream, Pointer at)
      : kind(kind), size(size), width(width), pitch(pitch), inStream(inStream), stream(stream), at(at) {}
  template <class Wire> void fields(Wire &wire) const { wire(kind, size, width, pitch, inStream, stream, at); }
};

struct Free {
  static constexpr Op op = Op::Free;
  using Reply = None;
  Pointer address;
  bool host;
  bool inStream;
  StreamNumber stream;
  Free(Pointer address, bool host, bool inStream, StreamNumber stream)
      : address(address), host(host), inStream(inStream), stream(stream) {}
  template <class Wire> void fields(Wire &wire) const { wire(address, host, inStream, stream); }
};

struct CopyReply {
  Carrier carrier{};
  template <class Wire> void fields(Wire &wire) { wire(carrier); }
};

struct Copy {
  static constexpr Op op = Op::Copy;
  using Reply = CopyReply;
  uint32_t kind;
  bool async;
  StreamNumber stream;
  Pointer dst;
  Pointer src;
  uint64_t width;
  uint64_t height;
  uint64_t depth;
  uint64_t dstPitch;
  uint64_t srcPitch;
  uint64_t dstSlice;
  uint64_t srcSlice;
  Copy(uint32_t kind, bool async, StreamNumber stream, Pointer dst, Pointer src, uint64_t width, uint64_t height, uint64_t depth, uint64_t dstPitch, uint64_t srcPitch, uint64_t dstSlice, uint64_t srcSlice)
      : kind(kind), async(async), stream(stream), dst(dst), src(src), width(width), height(height), depth(depth), dstPitch(dstPitch), srcPitch(srcPitch), dstSlice(dstSlice), srcSlice(srcSlice) {}
  template <class Wire> void fields(Wire &wire) const { wire(kind, async, stream, dst, src, width, height, depth, dstPitch, srcPitch, dstSlice, srcSlice); }
};

struct Stage {
  static constexpr Op op = Op::Stage;
  using Reply = None;
  Blob data;
  Stage(Blob data)
      : data(data) {}
  template <class Wire> void fields(Wire &wire) const { wire(data); }
};

struct Set {
  static constexpr Op op = Op::Set;
  using Reply = None;
  bool async;
  StreamNumber stream;
  Pointer dst;
  Blob pattern;
  uint64_t width;
  uint64_t height;
  uint64_t depth;
  uint64_t pitch;
  uint64_t slice;
  Set(bool async, StreamNumber stream, Pointer dst, Blob pattern, uint64_t width, uint64_t height, uint64_t depth, uint64_t pitch, uint64_t slice)
      : async(async), stream(stream), dst(dst), pattern(pattern), width(width), height(height), depth(depth), pitch(pitch), slice(slice) {}
  template <class Wire> void fields(Wire &wire) const { wire(async, stream, dst, pattern, width, height, depth, pitch, slice); }
};

struct WriteValue {
  static constexpr Op op = Op::WriteValue;
  using Reply = None;
  StreamNumber stream;
  Pointer address;
  uint64_t value;
  uint8_t bytes;
  bool fence;
  WriteValue(StreamNumber stream, Pointer address, uint64_t value, uint8_t bytes, bool fence)
      : stream(stream), address(address), value(value), bytes(bytes), fence(fence) {}
  template <class Wire> void fields(Wire &wire) const { wire(stream, address, value, bytes, fence); }
};

struct WaitValue {
  static constexpr Op op = Op::WaitValue;
  using Reply = None;
  StreamNumber stream;
  Pointer address;
  uint64_t value;
  uint8_t bytes;
  ValueCondition condition;
  WaitValue(StreamNumber stream, Pointer address, uint64_t value, uint8_t bytes, ValueCondition condition)
      : stream(stream), address(address), value(value), bytes(bytes), condition(condition) {}
  template <class Wire> void fields(Wire &wire) const { wire(stream, address, value, bytes, condition); }
};

struct MemInfoReply {
  uint64_t free{};
  uint64_t total{};
  template <class Wire> void fields(Wire &wire) { wire(free, total); }
};

struct MemInfo {
  static constexpr Op op = Op::MemInfo;
  using Reply = MemInfoReply;
  template <class Wire> void fields(Wire &wire) const { wire(); }
};

struct PointerReply {
  uint32_t type{};
  uint64_t base{};
  uint64_t size{};
  uint32_t device{};
  template <class Wire> void fields(Wire &wire) { wire(type, base, size, device); }
};

struct PointerInfo {
  static constexpr Op op = Op::PointerInfo;
  using Reply = PointerReply;
  Pointer address;
  PointerInfo(Pointer address)
      : address(address) {}
  template <class Wire> void fields(Wire &wire) const { wire(address); }
};

struct ReserveReply {
  Pointer address{};
  template <class Wire> void fields(Wire &wire) { wire(address); }
};

struct Reserve {
  static constexpr Op op = Op::Reserve;
  using Reply = ReserveReply;
  uint64_t size;
  uint64_t alignment;
  Reserve(uint64_t size, uint64_t alignment)
      : size(size), alignment(alignment) {}
  template <class Wire> void fields(Wire &wire) const { wire(size, alignment); }
};

struct Unreserve {
  static constexpr Op op = Op::Unreserve;
  using Reply = None;
  Pointer address;
  Unreserve(Pointer address)
      : address(address) {}
  template <class Wire> void fields(Wire &wire) const { wire(address); }
};

struct Map {
  static constexpr Op op = Op::Map;
  using Reply = None;
  Pointer address;
  uint64_t size;
  Map(Pointer address, uint64_t size)
      : address(address), size(size) {}
  template <class Wire> void fields(Wire &wire) const { wire(address, size); }
};

struct ContentsReply {
  std::vector<uint64_t> ranges{};
  template <class Wire> void fields(Wire &wire) { wire(ranges); }
};

struct Contents {
  static constexpr Op op = Op::Contents;
  using Reply = ContentsReply;
  Pointer address;
  uint64_t size;
  Contents(Pointer address, uint64_t size)
      : address(address), size(size) {}
  template <class Wire> void fields(Wire &wire) const { wire(address, size); }
};

struct Unmap {
  static constexpr Op op = Op::Unmap;
  using Reply = None;
  Pointer address;
  uint64_t size;
  Unmap(Pointer address, uint64_t size)
      : address(address), size(size) {}
  template <class Wire> void fields(Wire &wire) const { wire(address, size); }
};

struct StreamCreateReply {
  Pointer handle{};
  template <class Wire> void fields(Wire &wire) { wire(handle); }
};

struct StreamCreate {
  static constexpr Op op = Op::StreamCreate;
  using Reply = StreamCreateReply;
  uint32_t flags;
  uint32_t priority;
  std::string_view branch;
  std::string_view library;
  StreamCreate(uint32_t flags, uint32_t priority, std::string_view branch, std::string_view library)
      : flags(flags), priority(priority), branch(branch), library(library) {}
  template <class Wire> void fields(Wire &wire) const { wire(flags, priority, branch, library); }
};

struct StreamDestroy {
  static constexpr Op op = Op::StreamDestroy;
  using Reply = None;
  StreamNumber stream;
  StreamDestroy(StreamNumber stream)
      : stream(stream) {}
  template <class Wire> void fields(Wire &wire) const { wire(stream); }
};

struct StreamInfoReply {
  uint32_t flags{};
  uint32_t priority{};
  uint32_t device{};
  template <class Wire> void fields(Wire &wire) { wire(flags, priority, device); }
};

struct StreamInfo {
  static constexpr Op op = Op::StreamInfo;
  using Reply = StreamInfoReply;
  StreamNumber stream;
  StreamInfo(StreamNumber stream)
      : stream(stream) {}
  template <class Wire> void fields(Wire &wire) const { wire(stream); }
};

struct StreamSync {
  static constexpr Op op = Op::StreamSync;
  using Reply = None;
  StreamNumber stream;
  bool wait;
  StreamSync(StreamNumber stream, bool wait)
      : stream(stream), wait(wait) {}
  template <class Wire> void fields(Wire &wire) const { wire(stream, wait); }
};

struct StreamWait {
  static constexpr Op op = Op::StreamWait;
  using Reply = None;
  Pointer event;
  StreamNumber stream;
  StreamWait(Pointer event, StreamNumber stream)
      : event(event), stream(stream) {}
  template <class Wire> void fields(Wire &wire) const { wire(event, stream); }
};

struct EventCreateReply {
  Pointer handle{};
  template <class Wire> void fields(Wire &wire) { wire(handle); }
};

struct EventCreate {
  static constexpr Op op = Op::EventCreate;
  using Reply = EventCreateReply;
  uint32_t flags;
  EventCreate(uint32_t flags)
      : flags(flags) {}
  template <class Wire> void fields(Wire &wire) const { wire(flags); }
};

struct EventOpen {
  static constexpr Op op = Op::EventOpen;
  using Reply = None;
  uint64_t number;
  EventOpen(uint64_t number)
      : number(number) {}
  template <class Wire> void fields(Wire &wire) const { wire(number); }
};

struct EventDestroy {
  static constexpr Op op = Op::EventDestroy;
  using Reply = None;
  Pointer event;
  EventDestroy(Pointer event)
      : event(event) {}
  template <class Wire> void fields(Wire &wire) const { wire(event); }
};

struct EventRecord {
  static constexpr Op op = Op::EventRecord;
  using Reply = None;
  Pointer event;
  StreamNumber stream;
  EventRecord(Pointer event, StreamNumber stream)
      : event(event), stream(stream) {}
  template <class Wire> void fields(Wire &wire) const { wire(event, stream); }
};

struct EventSync {
  static constexpr Op op = Op::EventSync;
  using Reply = None;
  Pointer event;
  bool wait;
  EventSync(Pointer event, bool wait)
      : event(event), wait(wait) {}
  template <class Wire> void fields(Wire &wire) const { wire(event, wait); }
};

struct EventElapsedReply {
  int64_t nanoseconds{};
  template <class Wire> void fields(Wire &wire) { wire(nanoseconds); }
};

struct EventElapsed {
  static constexpr Op op = Op::EventElapsed;
  using Reply = EventElapsedReply;
  Pointer start;
  Pointer end;
  EventElapsed(Pointer start, Pointer end)
      : start(start), end(end) {}
  template <class Wire> void fields(Wire &wire) const { wire(start, end); }
};

struct DeviceSync {
  static constexpr Op op = Op::DeviceSync;
  using Reply = None;
  template <class Wire> void fields(Wire &wire) const { wire(); }
};

struct Reset {
  static constexpr Op op = Op::Reset;
  using Reply = None;
  template <class Wire> void fields(Wire &wire) const { wire(); }
};

struct SetLimit {
  static constexpr Op op = Op::SetLimit;
  using Reply = None;
  uint32_t limit;
  uint64_t value;
  SetLimit(uint32_t limit, uint64_t value)
      : limit(limit), value(value) {}
  template <class Wire> void fields(Wire &wire) const { wire(limit, value); }
};

struct TextureReply {
  uint64_t handle{};
  template <class Wire> void fields(Wire &wire) { wire(handle); }
};

struct Level {
  Pointer base;
  uint32_t width;
  uint32_t height;
  uint32_t depth;
  uint64_t pitch;
  uint64_t slice;
  Level(Pointer base, uint32_t width, uint32_t height, uint32_t depth, uint64_t pitch, uint64_t slice)
      : base(base), width(width), height(height), depth(depth), pitch(pitch), slice(slice) {}
  template <class Wire> void fields(Wire &wire) const { wire(base, width, height, depth, pitch, slice); }
};

struct Texture {
  static constexpr Op op = Op::Texture;
  using Reply = TextureReply;
  uint64_t handle;
  bool surface;
  uint8_t kind;
  uint8_t channels;
  uint8_t bits;
  uint8_t format;
  bool cube;
  uint32_t layers;
  std::array<uint8_t, 3> address;
  bool linear;
  bool linearMip;
  bool normalized;
  bool normalizedFloat;
  bool srgb;
  std::array<float, 4> border;
  float levelBias;
  float levelMin;
  float levelMax;
  Pointer array;
  Batch<Level> levels;
  Texture(uint64_t handle, bool surface, uint8_t kind, uint8_t channels, uint8_t bits, uint8_t format, bool cube, uint32_t layers, std::array<uint8_t, 3> address, bool linear, bool linearMip, bool normalized, bool normalizedFloat, bool srgb, std::array<float, 4> border, float levelBias, float levelMin, float levelMax, Pointer array, Batch<Level> levels)
      : handle(handle), surface(surface), kind(kind), channels(channels), bits(bits), format(format), cube(cube), layers(layers), address(address), linear(linear), linearMip(linearMip), normalized(normalized), normalizedFloat(normalizedFloat), srgb(srgb), border(border), levelBias(levelBias), levelMin(levelMin), levelMax(levelMax), array(array), levels(levels) {}
  template <class Wire> void fields(Wire &wire) const { wire(handle, surface, kind, channels, bits, format, cube, layers, address, linear, linearMip, normalized, normalizedFloat, srgb, border, levelBias, levelMin, levelMax, array, levels); }
};

struct TextureFree {
  static constexpr Op op = Op::TextureFree;
  using Reply = None;
  uint64_t handle;
  bool surface;
  TextureFree(uint64_t handle, bool surface)
      : handle(handle), surface(surface) {}
  template <class Wire> void fields(Wire &wire) const { wire(handle, surface); }
};

struct Name {
  static constexpr Op op = Op::Name;
  using Reply = None;
  Named what;
  uint64_t id;
  std::string_view name;
  Name(Named what, uint64_t id, std::string_view name)
      : what(what), id(id), name(name) {}
  template <class Wire> void fields(Wire &wire) const { wire(what, id, name); }
};

struct Unsupported {
  static constexpr Op op = Op::Unsupported;
  using Reply = None;
  template <class Wire> void fields(Wire &wire) const { wire(); }
};

struct Misuse {
  static constexpr Op op = Op::Misuse;
  using Reply = None;
  int32_t code;
  MisuseKind kind;
  std::string_view detail;
  Misuse(int32_t code, MisuseKind kind, std::string_view detail)
      : code(code), kind(kind), detail(detail) {}
  template <class Wire> void fields(Wire &wire) const { wire(code, kind, detail); }
};

struct Unread {
  static constexpr Op op = Op::Unread;
  using Reply = None;
  bool launch;
  bool cleared;
  std::string_view error;
  Unread(bool launch, bool cleared, std::string_view error)
      : launch(launch), cleared(cleared), error(error) {}
  template <class Wire> void fields(Wire &wire) const { wire(launch, cleared, error); }
};

struct Failed {
  static constexpr Op op = Op::Failed;
  using Reply = None;
  int32_t code;
  bool sticky;
  uint8_t collective;
  std::string_view error;
  std::string_view text;
  bool allocates;
  Pointer kept;
  uint64_t size;
  Failed(int32_t code, bool sticky, uint8_t collective, std::string_view error, std::string_view text, bool allocates, Pointer kept, uint64_t size)
      : code(code), sticky(sticky), collective(collective), error(error), text(text), allocates(allocates), kept(kept), size(size) {}
  template <class Wire> void fields(Wire &wire) const { wire(code, sticky, collective, error, text, allocates, kept, size); }
};

struct HostAccess {
  static constexpr Op op = Op::HostAccess;
  using Reply = None;
  Pointer address;
  HostAccess(Pointer address)
      : address(address) {}
  template <class Wire> void fields(Wire &wire) const { wire(address); }
};

struct Extent {
  uint64_t lo;
  uint64_t hi;
  Extent(uint64_t lo, uint64_t hi)
      : lo(lo), hi(hi) {}
  template <class Wire> void fields(Wire &wire) const { wire(lo, hi); }
};

struct Touch {
  uint8_t kind;
  bool strong;
  bool incomplete;
  List<uint64_t> frames;
  Batch<Extent> bytes;
  Touch(uint8_t kind, bool strong, bool incomplete, List<uint64_t> frames, Batch<Extent> bytes)
      : kind(kind), strong(strong), incomplete(incomplete), frames(frames), bytes(bytes) {}
  template <class Wire> void fields(Wire &wire) const { wire(kind, strong, incomplete, frames, bytes); }
};

struct Touched {
  static constexpr Op op = Op::Touched;
  using Reply = None;
  uint64_t number;
  Batch<Touch> touches;
  Touched(uint64_t number, Batch<Touch> touches)
      : number(number), touches(touches) {}
  template <class Wire> void fields(Wire &wire) const { wire(number, touches); }
};

struct Settle {
  static constexpr Op op = Op::Settle;
  using Reply = None;
  StreamNumber stream;
  Settle(StreamNumber stream)
      : stream(stream) {}
  template <class Wire> void fields(Wire &wire) const { wire(stream); }
};

struct HostFunctionReply {
  bool due{};
  uint64_t id{};
  template <class Wire> void fields(Wire &wire) { wire(due, id); }
};

struct HostFunction {
  static constexpr Op op = Op::HostFunction;
  using Reply = HostFunctionReply;
  StreamNumber stream;
  HostFunction(StreamNumber stream)
      : stream(stream) {}
  template <class Wire> void fields(Wire &wire) const { wire(stream); }
};

struct HostTurnReply {
  bool run{};
  template <class Wire> void fields(Wire &wire) { wire(run); }
};

struct HostTurn {
  static constexpr Op op = Op::HostTurn;
  using Reply = HostTurnReply;
  uint64_t id;
  HostTurn(uint64_t id)
      : id(id) {}
  template <class Wire> void fields(Wire &wire) const { wire(id); }
};

struct HostEnd {
  static constexpr Op op = Op::HostEnd;
  using Reply = None;
  uint64_t id;
  Batch<Touch> touches;
  HostEnd(uint64_t id, Batch<Touch> touches)
      : id(id), touches(touches) {}
  template <class Wire> void fields(Wire &wire) const { wire(id, touches); }
};

struct Operator {
  static constexpr Op op = Op::Operator;
  using Reply = None;
  std::string_view name;
  std::string_view where;
  StreamNumber stream;
  Batch<Extent> reads;
  Batch<Extent> writes;
  Batch<Extent> marks;
  Operator(std::string_view name, std::string_view where, StreamNumber stream, Batch<Extent> reads, Batch<Extent> writes, Batch<Extent> marks)
      : name(name), where(where), stream(stream), reads(reads), writes(writes), marks(marks) {}
  template <class Wire> void fields(Wire &wire) const { wire(name, where, stream, reads, writes, marks); }
};

struct RanksIDReply {
  std::string id{};
  template <class Wire> void fields(Wire &wire) { wire(id); }
};

struct RanksID {
  static constexpr Op op = Op::RanksID;
  using Reply = RanksIDReply;
  template <class Wire> void fields(Wire &wire) const { wire(); }
};

struct RanksJoinReply {
  RankProblem problem{};
  uint32_t team{};
  uint32_t size{};
  template <class Wire> void fields(Wire &wire) { wire(problem, team, size); }
};

struct RanksJoin {
  static constexpr Op op = Op::RanksJoin;
  using Reply = RanksJoinReply;
  std::string_view id;
  uint32_t size;
  uint32_t rank;
  RanksJoin(std::string_view id, uint32_t size, uint32_t rank)
      : id(id), size(size), rank(rank) {}
  template <class Wire> void fields(Wire &wire) const { wire(id, size, rank); }
};

struct RanksLeave {
  static constexpr Op op = Op::RanksLeave;
  using Reply = None;
  uint32_t team;
  uint32_t rank;
  RanksLeave(uint32_t team, uint32_t rank)
      : team(team), rank(rank) {}
  template <class Wire> void fields(Wire &wire) const { wire(team, rank); }
};

struct RanksPostReply {
  uint64_t meeting{};
  template <class Wire> void fields(Wire &wire) { wire(meeting); }
};

struct RanksPost {
  static constexpr Op op = Op::RanksPost;
  using Reply = RanksPostReply;
  uint32_t team;
  uint32_t rank;
  RankWay way;
  uint32_t peer;
  Blob call;
  StreamNumber stream;
  Batch<Extent> reads;
  bool moves;
  bool broken;
  RanksPost(uint32_t team, uint32_t rank, RankWay way, uint32_t peer, Blob call, StreamNumber stream, Batch<Extent> reads, bool moves, bool broken)
      : team(team), rank(rank), way(way), peer(peer), call(call), stream(stream), reads(reads), moves(moves), broken(broken) {}
  template <class Wire> void fields(Wire &wire) const { wire(team, rank, way, peer, call, stream, reads, moves, broken); }
};

struct RanksAwaitReply {
  RankAbsence absence{};
  uint64_t absent{};
  std::string quiet{};
  bool broken{};
  std::vector<Bytes> calls{};
  std::vector<uint64_t> processes{};
  template <class Wire> void fields(Wire &wire) { wire(absence, absent, quiet, broken, calls, processes); }
};

struct RanksAwait {
  static constexpr Op op = Op::RanksAwait;
  using Reply = RanksAwaitReply;
  uint64_t meeting;
  RanksAwait(uint64_t meeting)
      : meeting(meeting) {}
  template <class Wire> void fields(Wire &wire) const { wire(meeting); }
};

struct RanksTake {
  static constexpr Op op = Op::RanksTake;
  using Reply = None;
  uint64_t meeting;
  uint32_t slot;
  uint64_t offset;
  uint64_t bytes;
  Pointer dst;
  StreamNumber stream;
  RanksTake(uint64_t meeting, uint32_t slot, uint64_t offset, uint64_t bytes, Pointer dst, StreamNumber stream)
      : meeting(meeting), slot(slot), offset(offset), bytes(bytes), dst(dst), stream(stream) {}
  template <class Wire> void fields(Wire &wire) const { wire(meeting, slot, offset, bytes, dst, stream); }
};

struct RanksDone {
  static constexpr Op op = Op::RanksDone;
  using Reply = None;
  uint64_t meeting;
  RanksDone(uint64_t meeting)
      : meeting(meeting) {}
  template <class Wire> void fields(Wire &wire) const { wire(meeting); }
};

} // namespace protocol

} // namespace warpgrind
