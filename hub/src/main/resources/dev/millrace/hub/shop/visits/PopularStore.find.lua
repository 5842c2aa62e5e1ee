-- find: an item in the ranking where it lives.
--
-- KEYS  1 the popularity of items
-- ARGV  1 item
-- Returns false if it is not there, else {its score, how many stand before it here}.

local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
return score and {score, redis.call('ZRANK', KEYS[1], ARGV[1])}
