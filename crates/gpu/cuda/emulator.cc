// The kernels on the CPU: one block after the other, and in each phase of a block one thread after the other.
#include "kernels.cu"

namespace {

template <class Args>
u64 launch(void (*kernel)(Args, u32), u32 blocks, const void* args) {
    for (u32 block = 0; block < blocks; block++) kernel(*(const Args*)args, block);
    return sizeof(Args);
}

bool equals(const char* a, const char* b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

}  // namespace

#define EMULATE(name) \
    if (equals(kernel, #name)) return launch(name, blocks, args);
#define EMULATE_SHA3(bits, N) EMULATE(sha3_##bits##_leaves) EMULATE(sha3_##bits##_tree)
#define EMULATE_PAIR(field, W, D) \
    EMULATE(combine_rows_##field) EMULATE(combine_columns_##field) EMULATE(fold_##field) EMULATE(round_##field) EMULATE(tensor_##field)

/// Runs the kernel of a name on so many blocks, and returns the bytes of its arguments; 0 if there is no such kernel.
extern "C" u64 tenfold_emulate(const char* kernel, u32 blocks, const void* args, u32 descends) {
    emulator_descends = descends != 0;
    EMULATE(encode)
    EMULATE(blake3_leaves)
    EMULATE(blake3_tree)
    SHA3_WIDTHS(EMULATE_SHA3)
    EMULATE(sum_rows)
    EMULATE(gather)
    EMULATE(store)
    PAIRS(EMULATE_PAIR)
    return 0;
}
