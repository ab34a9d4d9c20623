"""An averaged perceptron with whole-number weights, so that every machine learns exactly the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Perceptron:
    """A multi-class linear classifier over sparse features.

    Update as in Collins (2002), "Discriminative training methods for hidden Markov models"; the average is kept as
    weight times steps minus a correction, in integers.
    """

    def __init__(self) -> None:
        self.weights: dict[str, dict[str, int]] = {}
        self.corrections: dict[str, dict[str, int]] = {}
        self.steps = 1

    def scores(self, features: Iterable[str]) -> dict[str, int]:
        """Return the score of every class that some feature votes on."""
        totals: dict[str, int] = {}
        for feature in features:
            for label, weight in self.weights.get(feature, {}).items():
                totals[label] = totals.get(label, 0) + weight
        return totals

    def predict(self, features: Iterable[str], allowed: Sequence[str]) -> str:
        """Return the best of the allowed classes; the first of them where scores tie."""
        totals = self.scores(features)
        return max(allowed, key=lambda label: totals.get(label, 0))

    def best(self, features: Iterable[str], otherwise: str) -> str:
        """Return the best class any feature votes on, the first by name where scores tie."""
        totals = self.scores(features)
        return min(totals, key=lambda label: (-totals[label], label), default=otherwise)

    def update(self, features: Iterable[str], truth: str, guess: str) -> None:
        """Learn from one decision."""
        if truth != guess:
            for feature in features:
                for label, change in ((truth, 1), (guess, -1)):
                    weights = self.weights.setdefault(feature, {})
                    weights[label] = weights.get(label, 0) + change
                    corrections = self.corrections.setdefault(feature, {})
                    corrections[label] = corrections.get(label, 0) + change * self.steps
        self.steps += 1

    def average(self) -> None:
        """Replace the weights by their average over all steps (times the number of steps)."""
        for feature, weights in self.weights.items():
            corrections = self.corrections[feature]
            for label in weights:
                weights[label] = weights[label] * self.steps - corrections[label]
        self.corrections.clear()
