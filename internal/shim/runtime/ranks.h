// Where ranks of NCCL in several processes meet: RankServices of library.h.
#pragma once

#include "library.h"

namespace warpgrind {
namespace ranks {

// The functions of RankServices.
cudaError_t identifier(char *id);
cudaError_t join(const char *id, uint32_t size, uint32_t rank, uint8_t *problem, uint32_t *team, uint32_t *firstSize);
cudaError_t leave(uint32_t team, uint32_t rank);
cudaError_t post(uint32_t team, uint32_t rank, uint8_t way, uint32_t peer, const RankCall *call, cudaStream_t stream,
                 const RankReads *reads, bool moves, bool broken, uint64_t *meeting);
cudaError_t await(uint64_t meeting, RankMeeting *out);
cudaError_t take(uint64_t meeting, uint32_t slot, size_t offset, size_t bytes, void *to, cudaStream_t stream);
cudaError_t done(uint64_t meeting);

} // namespace ranks
} // namespace warpgrind
