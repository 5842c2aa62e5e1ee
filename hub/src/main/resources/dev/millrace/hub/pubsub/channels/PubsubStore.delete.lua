-- delete: remove a subscriber, and wake polls that wait for it on whichever server.
--
-- KEYS  1 the cursor of the subscriber   2 when each was seen
-- ARGV  1 the subscriber   2 the channel to wake
-- Returns 1 if it was there.

local gone = redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
if gone == 1 then redis.call('PUBLISH', ARGV[2], 'new message') end
return gone
