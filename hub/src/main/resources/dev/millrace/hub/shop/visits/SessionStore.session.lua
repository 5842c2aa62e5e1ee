-- session: what the scripts about sessions have in common. Each of them has as KEYS
--   1 login: (token to user)   2 recent: (tokens by when they were seen)
--   3 tokens by when it is looked whether they are still in use
-- Keys of tokens and users that a script finds out itself are built here; they live in the same
-- shard, whose hash tag, if there is one, stands before "login:".

local login, recent, ends = KEYS[1], KEYS[2], KEYS[3]
local home = string.sub(login, 1, -7)

local function seconds(micros) return string.format('%.6f', micros / 1000000) end

-- What is known about a token: its user, when it was seen, its own lifetime, under which user it
-- is listed. Reads every key that the removal of the token writes, so that a wrong type is met here.
local function look(token)
  local extra = redis.call('HMGET', home .. 'millrace:session:' .. token, 'ttl', 'user')
  redis.call('ZSCORE', ends, token)
  if extra[2] then redis.call('ZSCORE', home .. 'millrace:user-sessions:' .. extra[2], token) end
  return {
    user = redis.call('HGET', login, token),
    seen = tonumber(redis.call('ZSCORE', recent, token) or ''),
    ttl = tonumber(extra[1] or ''),
    listed = extra[2]
  }
end

-- When a session ends that nobody uses from now on; one whose last use is unknown has no end yet.
local function ending(session, idle)
  return session.seen and session.seen + (session.ttl or idle) or math.huge
end

local function lives(session, idle, now)
  return session.user and ending(session, idle) > now / 1000000
end

-- Takes away all that belongs to a token. The key of the views of an empty token would be that of
-- the popularity of all items.
local function remove(token, session, keepCart)
  redis.call('HDEL', login, token)
  redis.call('ZREM', recent, token)
  redis.call('ZREM', ends, token)
  if session.listed then
    redis.call('ZREM', home .. 'millrace:user-sessions:' .. session.listed, token)
  end
  if token == '' then return end
  redis.call('DEL', home .. 'viewed:' .. token, home .. 'millrace:session:' .. token)
  if not keepCart then
    redis.call('DEL', home .. 'cart:' .. token, home .. 'millrace:cart:' .. token)
  end
end

-- Puts a token on the list of its user, and off the one of the user before.
local function list(token, session, user, now)
  if session.listed == user or (user == '' and not session.listed) then return end
  if session.listed then
    redis.call('ZREM', home .. 'millrace:user-sessions:' .. session.listed, token)
  end
  if user == '' then
    redis.call('HDEL', home .. 'millrace:session:' .. token, 'user')
  else
    redis.call('ZADD', home .. 'millrace:user-sessions:' .. user, seconds(now), token)
    redis.call('HSET', home .. 'millrace:session:' .. token, 'user', user)
  end
end

-- The session as a client sees it: user, when it was seen, and what else is kept.
local function answer(token, user, now)
  return {user, seconds(now), redis.call('HGETALL', home .. 'millrace:session:' .. token)}
end

