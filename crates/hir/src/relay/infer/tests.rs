//! Inference says what TVM 0.19 says, and every mistake at once.
