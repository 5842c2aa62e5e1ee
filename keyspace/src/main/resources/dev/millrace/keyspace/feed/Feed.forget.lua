-- forget: a durable reader is gone for good; the feed no longer waits for it.
--
-- KEYS  1 the feed's state   2 its readers   3 its gaps
-- ARGV  1 name
-- Returns 1 if it was known, 0 if not.

local state, readers, gaps, name = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
local known = redis.call('HDEL', readers, name)
redis.call('HDEL', gaps, name)
for _, value in ipairs(redis.call('HVALS', readers)) do
  if value:match(' refuse$') then return known end
end
redis.call('HDEL', state, 'cap')
return known
