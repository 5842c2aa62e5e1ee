
-- notice: give a new version to a cart that another program has changed.
--
-- KEYS  1 the cart   2 what is ours of it
-- ARGV  1 now in µs   2 how long a cart without a session is kept, in s
-- Returns the same as get. What is ours lives as long as the cart.

local cart = read(KEYS[1], KEYS[2])
if cart.foreign then
  local left = redis.call('TTL', KEYS[1])
  cart.updated = whole(ARGV[1])
  redis.call('HSET', KEYS[2], 'version', whole(cart.version), 'updated', cart.updated, 'print', cart.print)
  if cart.count == 0 then
    redis.call('EXPIRE', KEYS[2], ARGV[2])
  elseif left > 0 then
    redis.call('EXPIRE', KEYS[2], left)
  else
    redis.call('PERSIST', KEYS[2])
  end
end
return answer('', cart)
