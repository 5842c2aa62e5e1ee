-- attributes: change some attributes of a session that lives.
--
-- KEYS  1–3 as in session   4 the session
-- ARGV  1 token   2 now in µs   3 lifetime in s   4 most bytes of all attributes together
--       5… for each attribute: name, what it must be now ("" for anything, "-" for missing, else
--       "=" and its value), its new value ("" to remove it)
-- Returns false if there is no session, "changed" if an attribute is not as it must be, "large" if
-- they would be too large, else {user, time seen, {fields and values of the session}}.

local token, now = ARGV[1], tonumber(ARGV[2])
local session = look(token)
if not lives(session, tonumber(ARGV[3]), now) then return false end
local flat, fields, size = redis.call('HGETALL', KEYS[4]), {}, 0
for i = 1, #flat, 2 do
  fields[flat[i]] = flat[i + 1]
  if string.sub(flat[i], 1, 2) == 'a:' then size = size + #flat[i] + #flat[i + 1] end
end
for i = 5, #ARGV, 3 do
  local name, expected, value = 'a:' .. ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local before = fields[name]
  if expected ~= '' and expected ~= (before and '=' .. before or '-') then return 'changed' end
  if before then size = size - #name - #before end
  if value ~= '' then size = size + #name + #value end
end
if size > tonumber(ARGV[4]) then return 'large' end

for i = 5, #ARGV, 3 do
  if ARGV[i + 2] == '' then
    redis.call('HDEL', KEYS[4], 'a:' .. ARGV[i])
  else
    redis.call('HSET', KEYS[4], 'a:' .. ARGV[i], ARGV[i + 2])
  end
end
redis.call('ZADD', recent, seconds(now), token)
redis.call('ZADD', ends, 'NX', seconds(now + (session.ttl or ARGV[3]) * 1000000), token)
return answer(token, session.user, now)
