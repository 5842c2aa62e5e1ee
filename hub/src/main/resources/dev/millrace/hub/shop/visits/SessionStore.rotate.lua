-- rotate: a session gets another token; the old one is dead from now on.
--
-- KEYS  1–3 as in session   4 the session   5 its views   6 its cart   7 the version of that
--       8–11 the same of the new token, which nobody has
-- ARGV  1 old token   2 new token   3 "1" if a user is given   4 user   5 now in µs   6 lifetime in s
-- Returns false if there is no session, else {user, time seen, {fields and values of the session}}.
-- A second time changes nothing: nobody else can have the new token.

local old, new, now, idle = ARGV[1], ARGV[2], tonumber(ARGV[5]), tonumber(ARGV[6])
local session = look(old)
if not lives(session, idle, now) then
  local before = redis.call('HGET', login, new)
  return before and answer(new, before, now)
end
local user = ARGV[3] == '1' and ARGV[4] or session.user
redis.call('ZCARD', home .. 'millrace:user-sessions:' .. user)

for i = 4, 7 do
  if redis.call('EXISTS', KEYS[i]) == 1 then redis.call('RENAME', KEYS[i], KEYS[i + 4]) end
end
remove(old, session)
session.listed = false
redis.call('HDEL', KEYS[8], 'user')
redis.call('HSET', login, new, user)
redis.call('ZADD', recent, seconds(now), new)
redis.call('ZADD', ends, seconds(now + (session.ttl or idle) * 1000000), new)
list(new, session, user, now)
return answer(new, user, now)
