// Communicators and the operations that wait until all of their ranks take part.
//
// The ranks of a communicator are devices of this process, driven by one thread or by several, or of several
// processes. A call makes an Operation; outside ncclGroupStart and ncclGroupEnd it is a group of its own. The end of
// a group hands the operations of its thread to their communicators and waits. In one process the thread that brings
// what the last rank owes executes the operation for all ranks; between processes each rank brings what others read
// to the engine, and then does its part by itself (across.cpp). The several operations of a rank in a group run on streams of the
// library's own, so that they have no order among each other. These begin with what the ranks' streams have
// done at the end of the group, and the ranks' streams continue after them: each thread makes its own do so.
#pragma once

#include "nccl.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../host.h"
#include "types.h"

namespace nccl {

struct Team;

// An event, which may be waited for by several streams.
class Event {
public:
  ~Event();
  // On the current device.
  static cudaError_t record(std::shared_ptr<Event> *out, cudaStream_t stream);
  cudaError_t orders(cudaStream_t stream) const;

private:
  cudaEvent_t event_ = nullptr;
};

enum Kind { Init, Split, Reduce, Broadcast, AllReduce, ReduceScatter, AllGather, Send, Recv };

// One call of one rank.
struct Operation {
  Kind kind = Init;
  ncclComm_t comm = nullptr; // null for one of another process
  int rank = 0;
  const void *send = nullptr;
  void *recv = nullptr;
  size_t count = 0; // of elements, as the call has it
  ncclDataType_t type = ncclInt8;
  int op = ncclSum;
  Factor factor{}; // of an operator of ncclRedOpCreatePreMulSum, which the program may destroy before a group ends
  int peer = 0; // the root, or the other side
  cudaStream_t stream = nullptr;
  int color = 0, key = 0; // of Split, with
  ncclComm_t *out = nullptr;

  warpgrind::LibraryCall call;                 // for reports
  std::shared_ptr<Event> begin;                // what the stream has done before
  unsigned long long graph = 0;                // that it is captured into
  cudaStream_t own = nullptr;                  // where it is executed
  std::vector<std::shared_ptr<Event>> end;     // what the stream waits for after
  bool done = false;
  ncclResult_t result = ncclSuccess;

  uint64_t meeting = 0; // with ranks of other processes; 0: there is none
  bool broken = false;  // there was an error before
  bool brought = false; // all that they need
};

} // namespace nccl

// A rank of a team.
struct ncclComm {
  std::shared_ptr<nccl::Team> team;
  int rank = 0, device = 0;
  std::vector<cudaStream_t> streams; // one for each operation of a group
  std::map<int, nccl::Factor> factors; // of operators of ncclRedOpCreatePreMulSum
  int nextOperator = ncclNumOps;
  std::string lastError;
  ncclResult_t asyncError = ncclSuccess;
};

namespace nccl {

// The ranks of a communicator. All is under the lock of Ranks.
struct Team {
  explicit Team(int size) : size(size), queues(size), devices(size, -1) {}
  const int size;
  std::vector<std::deque<Operation *>> queues;                         // collective operations, by rank
  std::map<std::pair<int, int>, std::deque<Operation *>> sends, recvs; // by sender and receiver
  std::vector<int> devices; // by rank; -1: not there yet, or in another process
  // Of an identifier: its number to the engine. Across: there are ranks in other processes.
  bool registered = false;
  uint32_t number = 0;
  std::atomic<bool> across{false};
};

size_t sizeOf(ncclDataType_t type);
const char *nameOf(ncclDataType_t type);

// Begins and ends a group of the calling thread.
void beginGroup();
ncclResult_t endGroup();

// Adds an operation to the thread's group, or executes it.
ncclResult_t enqueue(std::unique_ptr<Operation> o);

// A rank of a team, which is made for it.
ncclComm_t member(const std::shared_ptr<Team> &team, int rank, int device);
// Makes a rank of a team; null with an error if the rank or its device is taken.
ncclComm_t join(const std::shared_ptr<Team> &team, int rank, int device, std::string *error);
// The same of an identifier, which other processes may have too.
ncclResult_t joinByID(ncclComm_t *out, const ncclUniqueId &id, int size, int rank, int device);
// The team of an identifier, made by the first rank that comes.
std::shared_ptr<Team> teamOf(const ncclUniqueId &id, int size, std::string *error);
void leave(ncclComm_t comm);
// Leaves while another thread may wait in an operation.
void abort(ncclComm_t comm);

// Executes operations that belong together, with all ranks there: one of each rank in their order, or a
// Send and its Recv. Returns what is wrong with the arguments, or "".
std::string disagreement(const std::vector<Operation *> &ops);
ncclResult_t execute(const std::vector<Operation *> &ops);

// Reduces on the stream of an operation, as that says.
cudaError_t launch(const Operation &o, Reduction &r);

// Between processes: brings what others read of a rank to an operation; waits for the others, and does the rank's own
// part. The first that waits in vain is reported, which sets told.
bool isAcross(const Operation &o);
void post(Operation &o);
ncclResult_t meet(Operation &o, bool *told);

// A list of ranks in words.
std::string listOf(const std::vector<int> &numbers);

// The identifier of 16 bytes that the engine knows, as users have it; false where there is none in it.
constexpr size_t kIdentifier = 16;
ncclUniqueId wrapped(const char *id);
bool unwrap(const ncclUniqueId &id, char *out);

// What is wrong between ranks, for reports: trace.CollectiveFault.
enum CollectiveFault : uint8_t { RankMissing = 1, RanksDiffer = 2 };
void fail(CollectiveFault fault, const std::string &reason, ncclComm_t comm, ncclResult_t code = ncclInvalidUsage);

// Reports that a call fails, and returns the code.
ncclResult_t fail(ncclResult_t code, const std::string &reason, ncclComm_t comm = nullptr);

} // namespace nccl
