"""How fast evaltools is, on generated treebanks of realistic shape, and beside its peers."""
