-- next: what a durable reader has not read yet.
--
-- KEYS  1 stream   2 readers   3 gaps   4 the shard's epoch   5 state
-- ARGV  1 name of the reader   2 how many facts, 0 to learn only where it stands
-- Returns {'123 gap', gap or false, epoch, last number, number, time, body, number, time, body, …}:
-- its cursor as it is stored, '5-17' if facts were dropped before it read them, the number of the
-- newest fact, then the facts behind the cursor. {} if the reader is not registered.

local stream, readers, gaps, state = KEYS[1], KEYS[2], KEYS[3], KEYS[5]
local name, count = ARGV[1], tonumber(ARGV[2])
local known = redis.call('HGET', readers, name)
if not known then return {} end
local result = {
  known, redis.call('HGET', gaps, name), redis.call('GET', KEYS[4]) or '', redis.call('HGET', state, 'seq') or '0'
}
if count == 0 then return result end
local from = string.format('%.0f-0', tonumber(known:match('^%d+')) + 1)
for _, fact in ipairs(redis.call('XRANGE', stream, from, '+', 'COUNT', count)) do
  local number, time = fact[1]:match('^(%d+)-(%d+)$')
  result[#result + 1] = number
  result[#result + 1] = time
  result[#result + 1] = fact[2][2]
end
return result
