-- write: sets points of a channel and raises or clears the alarms of the rules that watch them.
-- KEYS  1 the channel's hash
-- ARGV  1 the source that the rules name   2 the time   3.. field, value, field, value …
-- Returns how many alarms were raised or cleared.
-- The keys of rules and alarms are built here, as such functions do; it runs on a single server only.
local hash = KEYS[1]
local source = ARGV[1]
local now = ARGV[2]
local changed = 0

local function met(value, operator, threshold)
  if operator == '>' then return value > threshold end
  if operator == '<' then return value < threshold end
  if operator == '>=' then return value >= threshold end
  if operator == '<=' then return value <= threshold end
  if operator == '==' then return value == threshold end
  return value ~= threshold
end

for i = 3, #ARGV, 2 do
  local field, text = ARGV[i], ARGV[i + 1]
  redis.call('HSET', hash, field, text, '_updated_at', now)
  local value = tonumber(text)
  for _, id in ipairs(redis.call('SMEMBERS', 'idx:alarm:watch:' .. source .. ':' .. field)) do
    local rule = redis.call('HMGET', 'alarm:rule:' .. id, 'enabled', 'operator', 'threshold')
    local threshold = tonumber(rule[3])
    if rule[1] ~= 'false' and value and threshold then
      local alarm = 'alarm:' .. id
      local active = redis.call('HGET', alarm, 'status') == 'active'
      if met(value, rule[2] or '>', threshold) then
        if active then
          redis.call('HSET', alarm, 'current_value', text, 'updated_at', now)
        else
          redis.call('HSET', alarm, 'status', 'active', 'rule_id', id, 'trigger_value', text, 'triggered_at', now)
          redis.call('SADD', 'idx:alarm:active', id)
          redis.call('LPUSH', 'alarm:events', cjson.encode({type = 'triggered', rule_id = id, value = value}))
          redis.call('LTRIM', 'alarm:events', 0, 999)
          changed = changed + 1
        end
      elseif active then
        redis.call('HSET', alarm, 'status', 'cleared', 'clear_value', text, 'cleared_at', now)
        redis.call('SREM', 'idx:alarm:active', id)
        redis.call('LPUSH', 'alarm:events', cjson.encode({type = 'cleared', rule_id = id, value = value}))
        redis.call('LTRIM', 'alarm:events', 0, 999)
        changed = changed + 1
      end
    end
  end
end
return changed
