-- keep: a page, or a note about one, and its entries. Ends the right to ask for it.
--
-- KEYS  1 the body   2 what is known of the page   3 who has the right   4 all pages   5 their sizes
--       6 what was purged   7… the groups it belongs to
-- ARGV  1 hash   2 what is known   3 body   4 'new' body, 'old' one that is there, or 'none'
--       5 for how long, in ms   6 when the application was asked, µs   7 who asked
--       8 how many pages there may be   9 how many bytes   10 the channel of news
--       11 12 how keys of bodies and of pages begin   13 how many for one address   14… names of the groups
-- Returns 'kept', 'purged' or 'gone' (the body that was to stay), 'full'
--
-- The first group is that of the address. Entries carry the time when their page ends, and every set
-- ends with its last one: nothing is left over that nobody cleans.

local shard = shard_of(KEYS[1])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local result = 'kept'

local function purged()
  local asked = tonumber(ARGV[6])
  local last = redis.call('ZMSCORE', KEYS[6], 'all', unpack(ARGV, 14))
  for i = 1, #ARGV - 12 do
    if last[i] and tonumber(last[i]) >= asked then return true end
  end
  return false
end

local function make_room(size)
  remove(shard, ARGV[11], ARGV[12], KEYS[4], KEYS[5],
    redis.call('ZRANGE', KEYS[4], '-inf', now, 'BYSCORE', 'LIMIT', 0, 100))
  for _ = 1, 10 do
    local count = redis.call('ZCARD', KEYS[4])
    local bytes = tonumber(redis.call('HGET', KEYS[5], 'all') or '0')
    if count < tonumber(ARGV[8]) and bytes + size <= tonumber(ARGV[9]) then return true end
    -- Those that end first go first.
    remove(shard, ARGV[11], ARGV[12], KEYS[4], KEYS[5], redis.call('ZRANGE', KEYS[4], 0, 9))
  end
  return false
end

local function entry(set, ends)
  redis.call('ZADD', set, ends, ARGV[1])
  redis.call('PEXPIREAT', set, ends, 'NX')
  redis.call('PEXPIREAT', set, ends, 'GT')
end

local length = 0
if ARGV[4] == 'new' then
  length = #ARGV[3]
elseif ARGV[4] == 'old' then
  length = redis.call('STRLEN', KEYS[1])
end
local size = length + #ARGV[2]

if purged() then
  result = 'purged'
elseif ARGV[4] == 'old' and redis.call('EXISTS', KEYS[1]) == 0 then
  result = 'gone'
else
  redis.call('ZREMRANGEBYSCORE', KEYS[7], '-inf', now)
  if redis.call('ZCARD', KEYS[7]) >= tonumber(ARGV[13])
      and not redis.call('ZSCORE', KEYS[7], ARGV[1]) then
    result = 'full'
  else
    local before = redis.call('HGET', KEYS[5], ARGV[1])
    if before then
      redis.call('HDEL', KEYS[5], ARGV[1])
      redis.call('HINCRBY', KEYS[5], 'all', -tonumber(before))
      redis.call('ZREM', KEYS[4], ARGV[1])
    end
    if not make_room(size) then
      result = 'full'
      redis.call('UNLINK', KEYS[1], KEYS[2])
    else
      local ends = now + tonumber(ARGV[5])
      if ARGV[4] == 'new' then
        redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[5])
      elseif ARGV[4] == 'old' then
        redis.call('PEXPIRE', KEYS[1], ARGV[5])
      else
        redis.call('UNLINK', KEYS[1])
      end
      redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[5])
      entry(KEYS[4], ends)
      redis.call('HSET', KEYS[5], ARGV[1], size)
      redis.call('HINCRBY', KEYS[5], 'all', size)
      redis.call('PEXPIREAT', KEYS[5], ends, 'NX')
      redis.call('PEXPIREAT', KEYS[5], ends, 'GT')
      for i = 7, #KEYS do
        redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
        entry(KEYS[i], ends)
      end
    end
  end
end
if redis.call('GET', KEYS[3]) == ARGV[7] then redis.call('DEL', KEYS[3]) end
redis.call('PUBLISH', ARGV[10], 'have ' .. ARGV[1] .. ' ' .. ARGV[7])
return result
