"""The limited worker process in which SymPy runs."""
