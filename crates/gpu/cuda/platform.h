// What a kernel sees of its machine: a CUDA device, or the emulator, which runs the same source on the CPU.
//
// A kernel is a sequence of phases `THREADS(t) { .. }` with `BARRIER` between them. On a device `t` is the thread's number; the
// emulator runs a phase for one thread after the other. So a thread's variables end with the phase: what lives longer is in
// `SHARED` arrays or in the device's memory.
#pragma once

typedef unsigned int u32;
typedef unsigned long long u64;

/// Threads of a block, in every kernel.
#define BLOCK_THREADS 256u

#ifdef __CUDACC__

#define DEV static __device__ __forceinline__
#define CALLED static __device__ __noinline__
#define SHARED __shared__
#define KERNEL(name, Args) \
    extern "C" __global__ void __launch_bounds__(BLOCK_THREADS) name(const __grid_constant__ Args a)
/// A kernel whose registers are limited so that so many blocks fit a multiprocessor.
#define KERNEL_OF_BLOCKS(name, Args, blocks) \
    extern "C" __global__ void __launch_bounds__(BLOCK_THREADS, blocks) name(const __grid_constant__ Args a)
#define BLOCK blockIdx.x
#define THREADS(t) if (const u32 t = threadIdx.x; true)
#define BARRIER __syncthreads()
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#define CONSTANT static __constant__ const

#else

#define DEV static inline
#define CALLED static
#define SHARED
#define KERNEL(name, Args) static void name(const Args a, const u32 emulated_block)
#define KERNEL_OF_BLOCKS(name, Args, blocks) KERNEL(name, Args)
#define BLOCK emulated_block
#define THREADS(t) \
    for (u32 emulated_turn = 0, t; \
         emulated_turn < BLOCK_THREADS && (t = emulated_thread(emulated_turn), true); emulated_turn++)
#define BARRIER ((void)0)
#define UNROLL
#define ROLLED
#define CONSTANT static const

/// Whether the emulator runs the threads of a phase from the last to the first: a kernel whose result then differs has a race.
static thread_local bool emulator_descends = false;

static inline u32 emulated_thread(u32 turn) {
    return emulator_descends ? BLOCK_THREADS - 1 - turn : turn;
}

#endif

/// Sixteen bytes, loaded at once.
struct alignas(16) Pair {
    u64 low, high;
};
