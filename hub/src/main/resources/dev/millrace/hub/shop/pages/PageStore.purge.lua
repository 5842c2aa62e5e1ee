-- purge: some of the pages of a group; whoever is being asked for one now does not keep it either.
--
-- KEYS  1 the group, or all pages   2 all pages   3 their sizes   4 what was purged
-- ARGV  1 the name of the group, 'all' for all   2 how many at a time   3 the channel of news
--       4 5 how keys of bodies and of pages begin   6 how many purges are remembered   7 for how long, µs
-- Returns {how many pages are gone, 1 if there are more}

local shard = shard_of(KEYS[2])
local time = redis.call('TIME')
local now = tonumber(string.format('%d%06d', time[1], time[2]))
redis.call('ZADD', KEYS[4], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now - tonumber(ARGV[7]))
local over = redis.call('ZCARD', KEYS[4]) - tonumber(ARGV[6])
if over > 0 then
  -- What is forgotten is remembered as a purge of everything.
  local first = redis.call('ZRANGE', KEYS[4], over - 1, over - 1, 'WITHSCORES')
  redis.call('ZREMRANGEBYRANK', KEYS[4], 0, over - 1)
  redis.call('ZADD', KEYS[4], 'GT', first[2], 'all')
end
redis.call('PEXPIRE', KEYS[4], math.ceil(tonumber(ARGV[7]) / 1000))
local hashes = redis.call('ZRANGE', KEYS[1], 0, tonumber(ARGV[2]) - 1)
local gone = remove(shard, ARGV[4], ARGV[5], KEYS[2], KEYS[3], hashes)
if KEYS[1] ~= KEYS[2] and #hashes > 0 then redis.call('ZREM', KEYS[1], unpack(hashes)) end
redis.call('PUBLISH', ARGV[3], 'purge ' .. ARGV[1])
return {gone, #hashes == tonumber(ARGV[2]) and 1 or 0}
