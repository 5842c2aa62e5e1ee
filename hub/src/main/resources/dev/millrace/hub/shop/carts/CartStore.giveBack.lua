
-- giveBack: end the lending of a cart, emptied if the merge has taken it over.
--
-- KEYS  1–6 as in change
-- ARGV  1 token   2 now in µs   3 lifetime of sessions in s   4 of carts without one
--       5 name of the merge   6 "1" to empty it
-- Returns 1, or 0 if it is not lent to that merge any more: then it stays as it is.

local cart, now = read(KEYS[5], KEYS[6]), tonumber(ARGV[2])
if not cart.lent or string.match(cart.lent, '^(%S+) ') ~= ARGV[5] then return 0 end
lives(ARGV[1], KEYS[4], now, tonumber(ARGV[3]))
local old = copy(cart.items)
if ARGV[6] == '1' and not cart.foreign then cart.items = {} end
write(KEYS[5], KEYS[6], cart, old, now)
keep(ARGV[1], KEYS[4], KEYS[5], KEYS[6], now, tonumber(ARGV[3]), ARGV[4])
return 1
