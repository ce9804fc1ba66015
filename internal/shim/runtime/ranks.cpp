// What ranks of NCCL in several processes ask of the engine: requests, and nothing besides.
#include "ranks.h"

#include <algorithm>
#include <string_view>

#include "client.h"

namespace warpgrind {
namespace ranks {
namespace {

constexpr size_t kIdentifier = 16;

template <class Request> cudaError_t ask(const Request &request) {
  Call c{request};
  c.send();
  return c.result();
}

} // namespace

cudaError_t identifier(char *id) {
  Call c{protocol::RanksID()};
  if (!c.send()) return c.result();
  memset(id, 0, kIdentifier);
  memcpy(id, c.reply.id.data(), std::min(kIdentifier, c.reply.id.size()));
  return cudaSuccess;
}

cudaError_t join(const char *id, uint32_t size, uint32_t rank, uint8_t *problem, uint32_t *team, uint32_t *firstSize) {
  Call c{protocol::RanksJoin(std::string_view(id, kIdentifier), size, rank)};
  c.send();
  *problem = static_cast<uint8_t>(c.reply.problem);
  *team = c.reply.team;
  *firstSize = c.reply.size;
  return c.result();
}

cudaError_t leave(uint32_t team, uint32_t rank) { return ask(protocol::RanksLeave(team, rank)); }

cudaError_t post(uint32_t team, uint32_t rank, uint8_t way, uint32_t peer, const RankCall *call, cudaStream_t stream,
                 const RankReads *reads, bool moves, bool broken, uint64_t *meeting) {
  protocol::Batch<protocol::Extent> extents;
  for (int i = 0; i < 2; i++) {
    const uint64_t from = reinterpret_cast<uintptr_t>(reads[i].from);
    const uint64_t end = reads[i].bytes > UINT64_MAX - from ? UINT64_MAX : from + reads[i].bytes; // which the engine refuses
    if (reads[i].bytes > 0) extents.add(protocol::Extent(from, end));
  }
  Call c{protocol::RanksPost(team, rank, static_cast<RankWay>(way), peer, protocol::Blob(call->bytes, sizeof call->bytes), stream, extents, moves, broken)};
  c.send();
  *meeting = c.reply.meeting;
  return c.result();
}

cudaError_t await(uint64_t meeting, RankMeeting *out) {
  Call c{protocol::RanksAwait(meeting)};
  c.send();
  *out = RankMeeting{};
  out->absence = static_cast<uint8_t>(c.reply.absence);
  out->absent = c.reply.absent;
  strncpy(out->quiet, c.reply.quiet.c_str(), sizeof out->quiet - 1);
  out->broken = c.reply.broken;
  out->count = static_cast<uint32_t>(std::min({c.reply.calls.size(), c.reply.processes.size(), static_cast<size_t>(kMostRanks)}));
  for (uint32_t i = 0; i < out->count; i++) {
    out->processes[i] = c.reply.processes[i];
    if (const auto &call = c.reply.calls[i]; call.size() == sizeof out->calls[i].bytes) memcpy(out->calls[i].bytes, call.data(), call.size());
  }
  return c.result();
}

cudaError_t take(uint64_t meeting, uint32_t slot, size_t offset, size_t bytes, void *to, cudaStream_t stream) {
  return ask(protocol::RanksTake(meeting, slot, offset, bytes, to, stream));
}

cudaError_t done(uint64_t meeting) { return ask(protocol::RanksDone(meeting)); }

} // namespace ranks
} // namespace warpgrind
