-- free: nothing came of asking the application; who waits may try.
--
-- KEYS  1 who has the right
-- ARGV  1 who gives it back   2 the channel of news   3 the hash
-- Returns 1, or 0 if it was somebody else's

if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[2], 'free ' .. ARGV[3])
return 1
