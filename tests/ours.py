"""The games of this package. Others may be installed beside them: a test that means these names them."""

OURS = ("number-collision", "number-snatch", "range-war", "restricted-removal", "summation-duel")
