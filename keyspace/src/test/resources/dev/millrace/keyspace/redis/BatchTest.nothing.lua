-- nothing: stands in for a script in tests that send none.
return {}
