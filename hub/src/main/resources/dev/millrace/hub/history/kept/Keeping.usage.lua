-- usage: how much memory some sorted sets take, and how many members they have.
--
-- KEYS  sorted sets, of samples or roll-ups; those that are not there count for nothing
-- Returns {bytes, members} of all of them together
--
-- MEMORY USAGE looks at a few members of each set and takes them for the others.
local bytes, members = 0, 0
for _, key in ipairs(KEYS) do
  local size = redis.pcall('ZCARD', key)
  if type(size) == 'number' and size > 0 then
    bytes = bytes + redis.call('MEMORY', 'USAGE', key)
    members = members + size
  end
end
return {bytes, members}
