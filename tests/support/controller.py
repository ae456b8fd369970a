# controller -- the choice of substeps by their error, written anew: oracles of adaptive methods take their substeps by it.


def substeps(trial, end, steps):
    """Steps to `end`, each in substeps.
      trial(t, h)  (what the error is over the permitted one, the power of h of the error, a function that takes the substep)
    Returns the substeps that are shorter than a step, and the rejected trials."""
    h = end / steps
    proposed, short, rejected = h, 0, 0
    for step in range(steps):
        reached, last, error = 0.0, False, 0.0
        while not last or error > 1:
            last = proposed >= h - reached
            length = h - reached if last else proposed
            error, order, take = trial(step * h + reached, length)
            suited = length * min(max(0.9 * max(error, 1e-10) ** (-1 / order), 0.2), 5.0 if error <= 1 else 1.0)
            proposed = min(max(suited, proposed) if error <= 1 and last else suited, h)
            rejected += error > 1
            if error <= 1:
                take()
                short, reached = short + (length < h), reached + length
    return short, rejected


class Component:
    """A component, and the largest that it was, slowly forgotten."""

    def __init__(self, value):
        self.value, self.size = value, 0.0

    def trial(self, moved, new, difference, rtol, atol):
        """The error over the permitted one, and the function that takes the new value.
        moved  what the component moves by in the substep at its first rate"""
        largest = max(abs(self.value), self.size * 511 / 512 if self.size > 0 else abs(moved)) or 1.0

        def take():
            self.value, self.size = new, largest

        return abs(difference) / (atol * largest + rtol * max(abs(self.value), abs(new))), take
