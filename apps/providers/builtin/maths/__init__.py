"""What runs inside the worker: SymPy computes, and mpmath checks it."""
