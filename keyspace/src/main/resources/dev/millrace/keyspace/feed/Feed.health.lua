-- health: how full a feed is and how far behind its durable readers are.
--
-- KEYS  1 stream   2 state   3 readers   4 gaps
-- Returns {last number, bytes, name, '123 gap', gap or '', time of the first fact it has not read
-- or 0, name, …}

local stream, state, readers, gaps = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local known = redis.call('HMGET', state, 'seq', 'bytes')
local result = {known[1] or '0', known[2] or '0'}
local all = redis.call('HGETALL', readers)
for i = 1, #all, 2 do
  local name, cursor = all[i], all[i + 1]
  local from = string.format('%.0f-0', tonumber(cursor:match('^%d+')) + 1)
  local first = redis.call('XRANGE', stream, from, '+', 'COUNT', 1)[1]
  result[#result + 1] = name
  result[#result + 1] = cursor
  result[#result + 1] = redis.call('HGET', gaps, name) or ''
  result[#result + 1] = first and first[1]:match('%d+$') or '0'
end
return result
