
-- merge: put another visitor's cart into this one, and empty it.
--
-- KEYS  1–6 as in change   7 the session of the other   8 its cart   9 what is ours of that
--       10 what an idempotency key was answered
-- ARGV  1–10 as in change   11 the other token
-- Returns the same as change.

local token, now, once = ARGV[1], tonumber(ARGV[2]), KEYS[10]
local before = told(once, ARGV[9])
if before == 'reused' then return answer('reused', read(KEYS[5], KEYS[6])) end
if before then return before end
local cart, other = read(KEYS[5], KEYS[6]), read(KEYS[8], KEYS[9])
if is_lent(cart, now) or is_lent(other, now) then return answer('lent', cart) end
if ARGV[5] ~= '' and ARGV[5] ~= whole(cart.version) then return answer('stale', cart) end
if once and too_many_keys(KEYS[6], now, tonumber(ARGV[10])) then return answer('keys', cart) end
lives(token, KEYS[4], now, tonumber(ARGV[3]))
lives(ARGV[11], KEYS[7], now, tonumber(ARGV[3]))
local old, others = copy(cart.items), copy(other.items)
local wrong =
  apply(cart, ARGV[8], answer('', other)[4], tonumber(ARGV[7]), tonumber(ARGV[6]))
if wrong then
  cart.items = old
  return answer(wrong, cart)
end

write(KEYS[5], KEYS[6], cart, old, now)
local reply = answer('done', cart)
if once then remember(once, ARGV[9], KEYS[6], reply, now) end
keep(token, KEYS[4], KEYS[5], KEYS[6], now, tonumber(ARGV[3]), ARGV[4])
other.items = {}
write(KEYS[8], KEYS[9], other, others, now)
keep(ARGV[11], KEYS[7], KEYS[8], KEYS[9], now, tonumber(ARGV[3]), ARGV[4])
return reply
