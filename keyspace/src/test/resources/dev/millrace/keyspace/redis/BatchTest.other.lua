-- other: stands in for a second script in tests that send none.
return {1}
