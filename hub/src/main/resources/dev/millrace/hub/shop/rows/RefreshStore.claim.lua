-- claim: take rows that are due, pushed forward by the time of a lease, so that nobody else takes
-- them meanwhile.
--
-- KEYS  1 delay:   2 schedule:
-- ARGV  1 now in s   2 until when they are ours, in s   3 how many at most
-- Returns {when the first one of the others is due in s, or "", how many there are, {row, seconds
-- between two refreshes, until when it is ours}…}. Rows without a delay are dropped; those with none
-- above 0 go, with what is kept of them. Keys of rows are made here; they live in this shard, whose
-- hash tag, if there is one, stands before "delay:".

local home = string.sub(KEYS[1], 1, -7)

-- What is kept of a row: "row:{table}:{id}" is of that table, all others of the first one.
local function forget(row)
  local table_name, id = string.match(row, '^row:([%w][%w_.-]*):(.+)$')
  local name = table_name and table_name .. ':' .. id or 'inv:' .. row
  redis.call('DEL', home .. (table_name and row or 'inv:' .. row), home .. 'millrace:row:' .. name,
    home .. 'millrace:row-loading:' .. name)
end

local due = redis.call('ZRANGE', KEYS[2], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', '0', ARGV[3])
local delays = {}
for i, row in ipairs(due) do delays[i] = redis.call('ZSCORE', KEYS[1], row) end

local claimed = {}
for i, row in ipairs(due) do
  local delay = delays[i] and tonumber(delays[i])
  if not delay then
    redis.call('ZREM', KEYS[2], row)
  elseif delay <= 0 then
    redis.call('ZREM', KEYS[1], row)
    redis.call('ZREM', KEYS[2], row)
    forget(row)
  else
    redis.call('ZADD', KEYS[2], ARGV[2], row)
    claimed[#claimed + 1] = {row, delays[i], redis.call('ZSCORE', KEYS[2], row)}
  end
end
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
return {first[2] or '', redis.call('ZCARD', KEYS[2]), claimed}
