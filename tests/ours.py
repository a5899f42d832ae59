"""The games of this package. Others may be installed beside them: a test that means these names them."""

OURS = ("range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision")
