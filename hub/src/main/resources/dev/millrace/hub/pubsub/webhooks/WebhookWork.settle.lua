-- settle: end a claim.
--
-- KEYS  1 the work by when it is due   2 the notes
-- ARGV  1 id   2 the score of the claim   3 the mark that was seen
--       4 in how many ms it is due again, or "" if there is nothing left to do   5 the new note
-- Returns "" if that was done, "lost" if the claim is somebody else's by now, or, where nothing was
-- left to do, the present mark: it was armed since. Then the claim still holds.

local work, notes, id = KEYS[1], KEYS[2], ARGV[1]
local score = redis.call('ZSCORE', work, id)
if not score or tonumber(score) ~= tonumber(ARGV[2]) then return 'lost' end
local mark = string.match(redis.call('HGET', notes, id) or '', '^(%d+) ') or ARGV[3]
if ARGV[4] == '' then
  if mark ~= ARGV[3] then return mark end
  redis.call('ZREM', work, id)
  redis.call('HDEL', notes, id)
  return ''
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', work, string.format('%.0f', now + ARGV[4]), id)
redis.call('HSET', notes, id, mark .. ' ' .. ARGV[5])
return ''
