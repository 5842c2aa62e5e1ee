-- since: what happened after a number, for a reader that keeps its place itself.
--
-- KEYS  1 stream   2 state   3 the shard's epoch
-- ARGV  1 number of the last fact seen, or '' for none asked   2 how many facts
-- Returns {epoch, last number, oldest number kept or 0, number, time, body, …}

local stream, state, epoch, after, count = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]
local result = {redis.call('GET', epoch) or '', redis.call('HGET', state, 'seq') or '0', '0'}
local oldest = redis.call('XRANGE', stream, '-', '+', 'COUNT', 1)[1]
if oldest then result[3] = oldest[1]:match('^%d+') end
if after ~= '' then
  local from = string.format('%.0f-0', tonumber(after) + 1)
  for _, fact in ipairs(redis.call('XRANGE', stream, from, '+', 'COUNT', count)) do
    local number, time = fact[1]:match('^(%d+)-(%d+)$')
    result[#result + 1] = number
    result[#result + 1] = time
    result[#result + 1] = fact[2][2]
  end
end
return result
