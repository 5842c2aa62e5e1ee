
-- lend: keep a cart as it is while a merge in another shard takes it over.
--
-- KEYS  1 the cart   2 what is ours of it
-- ARGV  1 now in µs   2 until when, in µs   3 name of the merge   4 how long a cart is kept, in s
-- Returns {"new", "resumed" or "lent" to another one, version, when changed, {items, quantities}}.

local cart, now = read(KEYS[1], KEYS[2]), tonumber(ARGV[1])
local name = cart.lent and string.match(cart.lent, '^(%S+) ')
if name == ARGV[3] and not cart.foreign then
  redis.call('HSET', KEYS[2], 'lent', ARGV[3] .. ' ' .. ARGV[2])
  return answer('resumed', cart)
end
local till = cart.lent and tonumber(string.match(cart.lent, ' (%d+)$'))
if till and till > now then return answer('lent', cart) end
redis.call('HSET', KEYS[2], 'lent', ARGV[3] .. ' ' .. ARGV[2], 'version', whole(cart.version),
  'updated', cart.updated, 'print', cart.print)
local left = redis.call('TTL', KEYS[1])
if left > 0 or cart.count == 0 then redis.call('EXPIRE', KEYS[2], left > 0 and left or ARGV[4]) end
return answer('new', cart)
