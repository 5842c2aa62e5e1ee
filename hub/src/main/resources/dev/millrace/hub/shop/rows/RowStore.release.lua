-- release: end a claim without a row.
--
-- KEYS  1 who loads it
-- ARGV  1 name of the claim

if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
