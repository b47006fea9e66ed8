"""The security scan: rules as data, literal pre-filters, bounded patterns, verdicts that fail closed."""

from generator.judge.scan.rules import RuleSet, load_rules
from generator.judge.scan.scanner import ENGINE, scan_package

__all__ = ["ENGINE", "RuleSet", "load_rules", "scan_package"]
