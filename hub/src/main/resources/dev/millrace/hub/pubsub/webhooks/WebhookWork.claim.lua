-- claim: take work that is due, for the time of a lease.
--
-- KEYS  1 the work by when it is due   2 the notes
-- ARGV  1 lease in ms   2 how many
-- Returns {id, score, mark, note, …}; the score is the proof of the claim: whoever claims the same
-- later has another one.

local work, notes, lease = KEYS[1], KEYS[2], tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local claimed = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', work, '-inf', now, 'LIMIT', 0, ARGV[2])) do
  local score = string.format('%.0f', now + lease)
  local mark, rest = string.match(redis.call('HGET', notes, id) or '', '^(%d+) (.*)$')
  mark = mark or '1'
  if not rest or rest == 'a' then
    rest = ''
    redis.call('HSET', notes, id, mark .. ' ')
  end
  redis.call('ZADD', work, score, id)
  claimed[#claimed + 1] = id
  claimed[#claimed + 1] = score
  claimed[#claimed + 1] = mark
  claimed[#claimed + 1] = rest
end
return claimed
