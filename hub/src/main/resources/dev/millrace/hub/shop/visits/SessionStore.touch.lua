-- touch: a visitor is here; makes the session, gives it to a user, notes what is looked at.
--
-- KEYS  1–3 as in session   4 the session   5 its views   6 its cart   7 the version of that
--       8 the popularity of items, if it lives here and the view is to count
-- ARGV  1 token   2 "1" to make the session if there is none   3 "1" if a user is given   4 user
--       5 now in µs   6 lifetime in s   7 lifetime of its own, for a new one, or ""
--       8 item, or ""   9 how many views are kept   10 within how many µs views count once
--       11 at how many items popularity takes no new ones
--       12… names and values of attributes, for a new one
-- Returns false if there is no session; else {1 if it is new, time of the view in µs, 1 if the view
-- is to count, user, time seen, {fields and values of the session}}.
--
-- Views are ordered by time alone, so each gets one that is greater than the newest.

local token, now, idle = ARGV[1], tonumber(ARGV[5]), tonumber(ARGV[6])
local item, views, popular = ARGV[8], KEYS[5], KEYS[8]
local session = look(token)
local known = lives(session, idle, now)
if not known and ARGV[2] ~= '1' then return false end

local user = known and session.user or ''
if ARGV[3] == '1' then user = ARGV[4] end
redis.call('ZCARD', home .. 'millrace:user-sessions:' .. user)
local at, counts = now, 0
if item ~= '' then
  local newest = redis.call('ZREVRANGE', views, 0, 0, 'WITHSCORES')[2]
  local last = redis.call('ZSCORE', views, item)
  if known and newest then at = math.max(now, math.floor(newest * 1000000 + 0.5) + 1) end
  if not known or not last or now - last * 1000000 >= tonumber(ARGV[10]) then counts = 1 end
  if popular and not redis.call('ZSCORE', popular, item)
      and redis.call('ZCARD', popular) >= tonumber(ARGV[11]) then
    popular = nil
  end
end

if session.user and not known then
  remove(token, session)
  session.listed = false
end
if user ~= session.user or not known then redis.call('HSET', login, token, user) end
redis.call('ZADD', recent, seconds(now), token)
if known then
  redis.call('ZADD', ends, 'NX', seconds(now + (session.ttl or idle) * 1000000), token)
else
  local life = ARGV[7] ~= '' and ARGV[7] or ARGV[6]
  redis.call('ZADD', ends, seconds(now + life * 1000000), token)
  redis.call('HSET', KEYS[4], 'created', string.format('%.0f', math.floor(now / 1000)))
  if ARGV[7] ~= '' then redis.call('HSET', KEYS[4], 'ttl', ARGV[7]) end
  for i = 12, #ARGV, 2 do redis.call('HSET', KEYS[4], 'a:' .. ARGV[i], ARGV[i + 1]) end
  redis.call('PERSIST', KEYS[6])
  redis.call('PERSIST', KEYS[7])
end
list(token, session, user, now)
if item ~= '' then
  redis.call('ZADD', views, seconds(at), item)
  redis.call('ZREMRANGEBYRANK', views, 0, -1 - ARGV[9])
  if counts == 1 and popular then redis.call('ZINCRBY', popular, -1, item) end
end
local told = answer(token, user, now)
return {known and 0 or 1, string.format('%.0f', at), counts, told[1], told[2], told[3]}
