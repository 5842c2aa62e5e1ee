-- claim: take what is due, for the time of a lease.
--
-- KEYS  1 the schedule   2 the bodies
-- ARGV  1 lease in ms   2 how many
-- Returns {id, score, body, id, score, body, …}: the score is the proof of the claim; body is false
-- where there is none.
--
-- The score of an item is when it is due. A claim pushes it forward by the lease: if the claimer
-- dies, it is due again then, and whoever claims it next sees another score than the first one.

local schedule, bodies, lease, most = KEYS[1], KEYS[2], tonumber(ARGV[1]), ARGV[2]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local claimed = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', schedule, '-inf', now, 'LIMIT', 0, most)) do
  local score = string.format('%.0f', now + lease)
  redis.call('ZADD', schedule, score, id)
  claimed[#claimed + 1] = id
  claimed[#claimed + 1] = score
  claimed[#claimed + 1] = redis.call('HGET', bodies, id)
end
return claimed
