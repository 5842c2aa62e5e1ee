-- expire: remove sessions that nobody has used for their lifetime.
--
-- KEYS  1–3 as in session   4 how many were removed so far
-- ARGV  1 now in µs   2 lifetime in s   3 how many are looked at
-- Returns {how many were looked at, how many were removed}. A session that was used since it was
-- noted here gets a new time; so its use need not write it.

local now, idle = tonumber(ARGV[1]), tonumber(ARGV[2])
local tokens = redis.call('ZRANGE', ends, '-inf', seconds(now), 'BYSCORE', 'LIMIT', '0', ARGV[3])
if #tokens == 0 then return {0, 0} end
local sessions = {}
for i, token in ipairs(tokens) do sessions[i] = look(token) end
local before = tonumber(redis.call('GET', KEYS[4]) or '0') or 0

local removed = 0
for i, token in ipairs(tokens) do
  local session = sessions[i]
  if lives(session, idle, now) then
    if not session.seen then
      session.seen = now / 1000000
      redis.call('ZADD', recent, seconds(now), token)
    end
    redis.call('ZADD', ends, string.format('%.6f', ending(session, idle)), token)
  else
    remove(token, session)
    removed = removed + 1
  end
end
redis.call('SET', KEYS[4], string.format('%.0f', before + removed))
return {#tokens, removed}
