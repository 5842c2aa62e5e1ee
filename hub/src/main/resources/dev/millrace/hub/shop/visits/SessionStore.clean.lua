-- clean: remove the sessions that were seen longest ago.
--
-- KEYS  1–3 as in session   4 how many were removed so far
-- ARGV  1 how many are kept   2 how many at most are removed   3 only those seen until then, in s
-- Returns how many were removed. Which ones is decided here, so that nobody can come back between
-- the choice and the removal.

local surplus = redis.call('ZCARD', recent) - ARGV[1]
if surplus <= 0 then return 0 end
local most = string.format('%.0f', math.min(surplus, tonumber(ARGV[2])))
local tokens = redis.call('ZRANGE', recent, '-inf', ARGV[3], 'BYSCORE', 'LIMIT', '0', most)
local sessions = {}
for i, token in ipairs(tokens) do sessions[i] = look(token) end
local before = tonumber(redis.call('GET', KEYS[4]) or '0') or 0

for i, token in ipairs(tokens) do remove(token, sessions[i]) end
redis.call('SET', KEYS[4], string.format('%.0f', before + #tokens))
return #tokens
