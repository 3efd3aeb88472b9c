"""Claims that a function stays within a bound of a reference on a domain: declared in TOML, checked over intervals or at points."""
