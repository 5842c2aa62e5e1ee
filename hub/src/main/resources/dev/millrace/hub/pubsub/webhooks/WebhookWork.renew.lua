-- renew: keep claimed work for the time of another lease.
--
-- KEYS  1 the work by when it is due
-- ARGV  1 id   2 the score of the claim   3 lease in ms
-- Returns the new score, or false if the claim is somebody else's by now.

local work, id = KEYS[1], ARGV[1]
local score = redis.call('ZSCORE', work, id)
if not score or tonumber(score) ~= tonumber(ARGV[2]) then return false end
local time = redis.call('TIME')
local renewed = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[3])
redis.call('ZADD', work, renewed, id)
return renewed
