-- touch: give the shard a new epoch if this is another server process than the last time.
--
-- KEYS  1 the shard's epoch
-- Returns the epoch.
--
-- A process that was restarted, or a replica that was promoted, may have lost writes that were
-- acknowledged. Numbers of facts may then be given out a second time for other facts, and whoever
-- remembers one must be told. Every new connection calls this before it loads the commit script,
-- and a new process knows no script: so no fact is written in a new process under an old epoch.

local run = redis.call('INFO', 'server'):match('run_id:(%w+)')
local known = redis.call('GET', KEYS[1])
if known and known:match('|(%w+)$') == run then return known end
local time = redis.call('TIME')
local epoch = string.format('%.0f', time[1] * 1000000 + time[2]) .. '|' .. run
redis.call('SET', KEYS[1], epoch)
return epoch
