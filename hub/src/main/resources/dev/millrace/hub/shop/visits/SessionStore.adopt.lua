-- adopt: see to it that sessions made by other programs end some day and are on their user's list.
--
-- KEYS  1–3 as in session
-- ARGV  1 where to go on, "0" for the beginning   2 about how many   3 now in µs   4 lifetime in s
-- Returns {where to go on, "0" at the end; how many were new}.

local now, idle = tonumber(ARGV[3]), tonumber(ARGV[4])
local step = redis.call('HSCAN', login, ARGV[1], 'COUNT', ARGV[2])
redis.call('ZCARD', recent)
local fresh = {}
for i = 1, #step[2], 2 do
  if not redis.call('ZSCORE', ends, step[2][i]) then
    local session = look(step[2][i])
    redis.call('ZCARD', home .. 'millrace:user-sessions:' .. session.user)
    fresh[#fresh + 1] = {step[2][i], session}
  end
end
for _, each in ipairs(fresh) do
  local token, session = each[1], each[2]
  if not session.seen then
    session.seen = now / 1000000
    redis.call('ZADD', recent, seconds(now), token)
  end
  redis.call('ZADD', ends, string.format('%.6f', ending(session, idle)), token)
  if token ~= '' then list(token, session, session.user, now) end
end
return {step[1], #fresh}
