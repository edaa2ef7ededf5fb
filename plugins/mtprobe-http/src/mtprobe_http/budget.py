"""The rest of a budget, for work whose cost is known only when it is requested."""

from __future__ import annotations

from mtprobe.backends import LOGGER, Estimate, ModelError

_ROUNDING = 1e-9  # dollars


class Budget:
    """Without a limit everything is paid for, and logged."""

    def __init__(self, kind: str) -> None:
        self._kind = kind  # of the service
        self._dollars: float | None = None
        self._spent = 0.0  # US dollars, as estimated

    def hold(self, dollars: float) -> None:
        self._dollars = dollars
        self._spent = 0.0

    def pay(self, estimate: Estimate | None, what: str, work: str) -> None:
        """Raises before anything is sent that would cost more than is left. `work`: "scoring 20 pairs"."""
        if estimate is None:
            return
        if estimate.dollars is None:
            if self._dollars is not None:
                raise ModelError(
                    f"{self._kind}: the budget cannot be held, since the price of {what} is not known: {estimate.basis}"
                )
            return
        if self._dollars is not None and self._spent + estimate.dollars > self._dollars + _ROUNDING:
            raise ModelError(
                f"{self._kind}: {work} would cost about {estimate.dollars:.2g} USD, more than the "
                f"{max(0.0, self._dollars - self._spent):.2g} USD that are left of the budget; they were not sent"
            )
        self._spent += estimate.dollars
        LOGGER.info("%s: %s, about %.2g USD (%s)", self._kind, work, estimate.dollars, estimate.basis)
