-- leave: say that we are not at work any more, if it was us.
--
-- KEYS  1 the mark of the check
-- ARGV  1 who we are   2 '1' if the check has finished and the mark can go, else '0'
-- Returns 1 if it was us, 0 if not.

local mark, holder = KEYS[1], ARGV[1]
if redis.call('HGET', mark, 'holder') ~= holder then return 0 end
if ARGV[2] == '1' then
  redis.call('DEL', mark)
else
  redis.call('HSET', mark, 'holder', '')
end
return 1
