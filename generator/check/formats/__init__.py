"""The forms a report is printed in: for people, for programs, for code scanning, for CI."""
