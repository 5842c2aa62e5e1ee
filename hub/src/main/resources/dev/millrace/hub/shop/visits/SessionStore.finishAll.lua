-- finishAll: a user leaves, wherever he is.
--
-- KEYS  1–3 as in session   4 the tokens of the user
-- ARGV  1 user   2 how many tokens at most
-- Returns {how many sessions ended, how many tokens were looked at}. A token that is somebody
-- else's by now only leaves the list.

local ended = 0
local tokens = redis.call('ZRANGE', KEYS[4], 0, ARGV[2] - 1)
local sessions = {}
for i, token in ipairs(tokens) do sessions[i] = look(token) end
for i, token in ipairs(tokens) do
  if sessions[i].user == ARGV[1] then
    remove(token, sessions[i])
    ended = ended + 1
  elseif sessions[i].user then
    redis.call('ZREM', KEYS[4], token)
    redis.call('HDEL', home .. 'millrace:session:' .. token, 'user')
  else
    remove(token, sessions[i])
  end
end
return {ended, #tokens}
