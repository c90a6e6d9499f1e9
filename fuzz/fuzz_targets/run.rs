//! Every program runs to a value within its limits, or has a reason why not.
