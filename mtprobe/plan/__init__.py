"""Suites × models × settings → what runs, what is skipped and why, which model scores, and what it costs."""

from mtprobe.plan.models import Models, open_models
from mtprobe.plan.plan import Plan, Planner
from mtprobe.plan.suite import SuitePlan

__all__ = ["Models", "Plan", "Planner", "SuitePlan", "open_models"]
