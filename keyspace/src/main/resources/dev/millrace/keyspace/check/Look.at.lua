-- at: a value and some entries, as they are at one moment.
--
-- KEYS  1 the value   2… an index each, or a key that may exist
-- ARGV  1 GET or HGETALL for the value; then for each key ZSCORE, SISMEMBER or HGET, and the member,
--       or EXISTS, and nothing
-- Returns {value, entry, …}: value false if it is absent or of another type; an entry is its score,
-- '1' for a member of a set or a key that exists, the id of a unique field, or false.

local function read(command, key, member)
  local found
  if member and command ~= 'EXISTS' then
    found = redis.pcall(command, key, member)
  else
    found = redis.pcall(command, key)
  end
  if type(found) == 'table' and found.err or found == 0 then return false end
  if found == 1 then return '1' end
  return found
end

local result = {read(ARGV[1], KEYS[1])}
for i = 2, #KEYS do
  result[i] = read(ARGV[2 * i - 2], KEYS[i], ARGV[2 * i - 1])
end
return result
