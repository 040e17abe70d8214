// All kernels of the crate. Compiled by scripts/gpu-kernels for devices, and by emulator.cc for the CPU.
#include "args.h"
#include "chain.h"
#include "combine.h"
#include "encode.h"
#include "fields.h"
#include "hash.h"
