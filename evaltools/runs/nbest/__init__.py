"""Lists of several trees for each sentence: the best choice from them."""
