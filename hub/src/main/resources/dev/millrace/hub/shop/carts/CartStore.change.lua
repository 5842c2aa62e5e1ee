
-- change: change a cart, once.
--
-- KEYS  1 login:   2 recent:   3 tokens by when it is looked whether they are still in use
--       4 the session   5 the cart   6 what is ours of it   7 what an idempotency key was answered
-- ARGV  1 token   2 now in µs   3 lifetime of sessions in s   4 of carts without one
--       5 the version it must have, or ""   6 most lines   7 largest quantity   8 what to do
--       9 print of the request   10 most keys in a day   11… items and quantities
-- Returns {word, version, when changed in µs, {items and quantities}}; the word is "done", "again",
-- "stale", "lent", or why not: "large", "many", "reused", "keys".

local token, now, once = ARGV[1], tonumber(ARGV[2]), KEYS[7]
local before = told(once, ARGV[9])
if before == 'reused' then return answer('reused', read(KEYS[5], KEYS[6])) end
if before then return before end
local cart = read(KEYS[5], KEYS[6])
if is_lent(cart, now) then return answer('lent', cart) end
if ARGV[5] ~= '' and ARGV[5] ~= whole(cart.version) then return answer('stale', cart) end
if once and too_many_keys(KEYS[6], now, tonumber(ARGV[10])) then return answer('keys', cart) end
lives(token, KEYS[4], now, tonumber(ARGV[3]))
local old, wishes = copy(cart.items), {}
for i = 11, #ARGV do wishes[#wishes + 1] = ARGV[i] end
local wrong = apply(cart, ARGV[8], wishes, tonumber(ARGV[7]), tonumber(ARGV[6]))
if wrong then
  cart.items = old
  return answer(wrong, cart)
end

write(KEYS[5], KEYS[6], cart, old, now)
local reply = answer('done', cart)
if once then remember(once, ARGV[9], KEYS[6], reply, now) end
keep(token, KEYS[4], KEYS[5], KEYS[6], now, tonumber(ARGV[3]), ARGV[4])
return reply
