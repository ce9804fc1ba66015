/* cuda::pipeline ("libcu++", "cuda::pipeline"): of one thread on groups of
 * copies, of a block on a pair of barriers for each stage. */
#ifndef __WARPGRIND_PIPELINE_H__
#define __WARPGRIND_PIPELINE_H__

#include "barrier.h"

namespace cuda {

#define __WG_D __device__ __forceinline__

enum class pipeline_role { producer, consumer };

template <thread_scope __wg_S> class pipeline;

template <thread_scope __wg_S, unsigned char stages> class pipeline_shared_state {
public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state &) = delete;
  pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;

private:
  template <thread_scope> friend class pipeline;
  barrier<__wg_S> full_[stages], empty_[stages];
  unsigned users_;
};

/* A thread's own pipeline: each stage is a group of copies. */
template <> class pipeline<thread_scope_thread> {
public:
  __WG_D pipeline() : head_(0), tail_(0) {}
  pipeline(pipeline &&) = default;
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  __WG_D void producer_acquire() {}
  __WG_D void producer_commit() {
    __wg_copy_commit();
    head_++;
  }
  __WG_D void consumer_wait() {
    if (head_ == tail_) return;
    __wg_copy_wait_prior(head_ - tail_ - 1);
    tail_++;
  }
  template <class __wg_D> __WG_D bool consumer_wait_for(const __wg_D &) {
    consumer_wait();
    return true;
  }
  __WG_D void consumer_release() {}
  __WG_D bool quit() { return true; }

  template <unsigned char n> __WG_D void __wg_wait_prior() {
    __wg_copy_wait<n>();
    tail_ = head_ > n ? head_ - n : 0;
  }

private:
  unsigned head_, tail_;
};

/* A pipeline that several threads share. */
template <thread_scope __wg_S> class pipeline {
public:
  pipeline(pipeline &&) = default;
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  template <class State>
  __WG_D pipeline(State *s, int stages)
      : full_(s->full_), empty_(s->empty_), users_(&s->users_), stages_(stages), head_(0), tail_(0), filled_(false),
        emptied_(true) {}

  /* Waits until the stage that is to be filled is free. */
  __WG_D void producer_acquire() { empty_[head_].wait_parity(emptied_); }
  __WG_D void producer_commit() {
    arrive(full_[head_]);
    if (++head_ == stages_) {
      head_ = 0;
      emptied_ = !emptied_;
    }
  }
  /* Waits until the oldest stage is filled. */
  __WG_D void consumer_wait() { full_[tail_].wait_parity(filled_); }
  template <class __wg_D> __WG_D bool consumer_wait_for(const __wg_D &) { return full_[tail_].try_wait_parity(filled_); }
  __WG_D void consumer_release() {
    (void)empty_[tail_].arrive();
    if (++tail_ == stages_) {
      tail_ = 0;
      filled_ = !filled_;
    }
  }
  __WG_D bool quit() { return atomicSub(users_, 1u) == 1; }

  /* Sets the barriers up; called by one thread. */
  template <class State> __WG_D static void __wg_start(State *s, int stages, unsigned users, unsigned producers, unsigned consumers) {
    for (int i = 0; i < stages; i++) {
      init(&s->full_[i], producers);
      init(&s->empty_[i], consumers);
    }
    s->users_ = users;
  }
  template <class State> __WG_D static unsigned *__wg_users(State *s) { return &s->users_; }

private:
  /* Arrives when the thread's copies have completed. */
  __WG_D static void arrive(barrier<__wg_S> &b) {
#if __CUDA_ARCH__ >= 800
    if (b.__wg_native()) {
      __wg_mbarrier_track_arrive(b.__wg_word());
      return;
    }
    __wg_copy_commit();
    __wg_copy_wait<0>();
#endif
    (void)b.arrive();
  }

  barrier<__wg_S> *full_, *empty_;
  unsigned *users_;
  int stages_, head_, tail_;
  bool filled_, emptied_;
};

__WG_D pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }

/* All threads of the group produce and consume. */
template <class Group, thread_scope __wg_S, unsigned char n>
__WG_D pipeline<__wg_S> make_pipeline(const Group &g, pipeline_shared_state<__wg_S, n> *s) {
  if (g.thread_rank() == 0) {
    unsigned all = (unsigned)g.size();
    pipeline<__wg_S>::__wg_start(s, n, all, all, all);
  }
  g.sync();
  return pipeline<__wg_S>(s, n);
}

/* Each thread says what it does. The group counts its producers in the shared
 * state first. */
template <class Group, thread_scope __wg_S, unsigned char n>
__WG_D pipeline<__wg_S> make_pipeline(const Group &g, pipeline_shared_state<__wg_S, n> *s, pipeline_role role) {
  unsigned *producers = pipeline<__wg_S>::__wg_users(s);
  if (g.thread_rank() == 0) *producers = 0;
  g.sync();
  if (role == pipeline_role::producer) atomicAdd(producers, 1u);
  g.sync();
  if (g.thread_rank() == 0) {
    unsigned all = (unsigned)g.size(), p = *producers;
    pipeline<__wg_S>::__wg_start(s, n, all, p, all - p);
  }
  g.sync();
  return pipeline<__wg_S>(s, n);
}

/* The first threads of the group produce, the others consume. */
template <class Group, thread_scope __wg_S, unsigned char n>
__WG_D pipeline<__wg_S> make_pipeline(const Group &g, pipeline_shared_state<__wg_S, n> *s, size_t producers) {
  return make_pipeline(g, s, g.thread_rank() < producers ? pipeline_role::producer : pipeline_role::consumer);
}

template <unsigned char n> __WG_D void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &p) {
  p.template __wg_wait_prior<n>();
}

/* Lets a barrier wait for the copies of the pipeline's current stage. */
template <thread_scope __wg_S> __WG_D void pipeline_producer_commit(pipeline<thread_scope_thread> &p, barrier<__wg_S> &b) {
  (void)p;
  details::track(b);
}

template <class __wg_D, class __wg_T, class Size, thread_scope __wg_S>
__WG_D void memcpy_async(__wg_D *dst, const __wg_T *src, Size n, pipeline<__wg_S> &) {
  __wg_copy_group(dst, src, n, details::size_alignment<Size>::value, 0, 1);
}
template <class Group, class __wg_D, class __wg_T, class Size, thread_scope __wg_S>
__WG_D void memcpy_async(const Group &g, __wg_D *dst, const __wg_T *src, Size n, pipeline<__wg_S> &) {
  __wg_copy_group(dst, src, n, details::size_alignment<Size>::value, (unsigned)g.thread_rank(), (unsigned)g.size());
}

#undef __WG_D

} // namespace cuda

#endif
