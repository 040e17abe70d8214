// The kernels on the CPU: one block after the other, and in each phase of a block one thread after the other.
#include "kernels.cu"

namespace {

template <class Args>
u64 launch(void (*kernel)(Args, u32), u32 blocks, const void* args) {
    for (u32 block = 0; block < blocks; block++) kernel(*(const Args*)args, block);
    return sizeof(Args);
}

}  // namespace

/// Runs the kernel with a number of src/args.rs on so many blocks, and returns the bytes of its arguments; 0 if there is no such kernel.
extern "C" u64 tenfold_emulate(u32 kernel, u32 blocks, const void* args, u32 descends) {
    emulator_descends = descends != 0;
    switch (kernel) {
        case 0: return launch(encode, blocks, args);
        case 1: return launch(blake3_leaves, blocks, args);
        case 2: return launch(sha3_leaves, blocks, args);
        case 3: return launch(blake3_tree, blocks, args);
        case 4: return launch(sha3_tree, blocks, args);
        case 5: return launch(combine_rows_gf128, blocks, args);
        case 6: return launch(combine_rows_gf192, blocks, args);
        case 7: return launch(combine_rows_gf256, blocks, args);
        case 8: return launch(combine_columns_gf128, blocks, args);
        case 9: return launch(combine_columns_gf192, blocks, args);
        case 10: return launch(combine_columns_gf256, blocks, args);
        case 11: return launch(sum_rows, blocks, args);
        case 12: return launch(gather, blocks, args);
        default: return 0;
    }
}
