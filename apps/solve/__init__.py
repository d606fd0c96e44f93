"""deep_solve: plan first, one step at a time, bounded replanning."""
