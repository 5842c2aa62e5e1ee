
-- get: a cart.
--
-- KEYS  1 the cart   2 what is ours of it
-- Returns {"" or "foreign" if another program has changed it, version, when changed in µs,
-- {items and quantities}}.

local cart = read(KEYS[1], KEYS[2])
return answer(cart.foreign and 'foreign' or '', cart)
