"""The commands, one file each: options, output and exit codes. What they do lives in the rooms below."""
