//! Strings that scripts choose from a short list: memory scopes, threads.

/// A string with its description.
pub type Word = (&'static str, &'static str);

/// Memory scopes of buffers.
pub const SCOPES: &[Word] = &[
    ("global", "the main memory of the device"),
    ("shared", "memory that the threads of a block share"),
    ("local", "registers, or memory of one thread"),
    (
        "shared.dyn",
        "memory that the threads of a block share, sized at the launch",
    ),
    ("warp", "memory that the threads of a warp share"),
    ("wmma.accumulator", "accumulator fragments of tensor cores"),
    (
        "wmma.matrix_a",
        "fragments of the first matrix of tensor cores",
    ),
    (
        "wmma.matrix_b",
        "fragments of the second matrix of tensor cores",
    ),
    ("metal.simdgroup", "matrices of a SIMD group of Metal"),
    ("metal.cooperative_tensor", "cooperative tensors of Metal"),
    (
        "m16n8k8.matrixA",
        "fragments of the first matrix of `mma` m16n8k8",
    ),
    (
        "m16n8k8.matrixB",
        "fragments of the second matrix of `mma` m16n8k8",
    ),
    ("m16n8k8.matrixC", "accumulator fragments of `mma` m16n8k8"),
    ("global.texture", "textures of a GPU"),
    ("global.vtcm", "the memory of Hexagon's vector units"),
    ("texture", "textures of a GPU"),
    ("amx.tmm", "tiles of Intel AMX"),
    ("tmem", "the memory of NVIDIA's tensor cores"),
    ("trn.sbuf", "the state buffer of AWS Neuron"),
    ("trn.psum", "the partial sums of AWS Neuron"),
];

/// The threads to which loops can be bound.
pub const THREADS: &[Word] = &[
    ("blockIdx.x", "blocks of threads, the first dimension"),
    ("blockIdx.y", "blocks of threads, the second dimension"),
    ("blockIdx.z", "blocks of threads, the third dimension"),
    ("threadIdx.x", "threads of a block, the first dimension"),
    ("threadIdx.y", "threads of a block, the second dimension"),
    ("threadIdx.z", "threads of a block, the third dimension"),
    ("vthread", "virtual threads, interleaved in one thread"),
    ("vthread.x", "virtual threads, the first dimension"),
    ("vthread.y", "virtual threads, the second dimension"),
    ("vthread.z", "virtual threads, the third dimension"),
];

/// Returns the words that a parameter takes, by its name.
pub fn words_of(param: &str) -> &'static [Word] {
    match param {
        "scope" | "storage_scope" => SCOPES,
        "thread" | "thread_tag" => THREADS,
        _ => &[],
    }
}
