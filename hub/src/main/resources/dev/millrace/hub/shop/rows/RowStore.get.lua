-- get: a row, and what is known about it.
--
-- KEYS  1 delay:   2 schedule:   3 the row   4 what is ours of it
-- ARGV  1 the row as it stands in delay: and schedule:
-- Returns {the row or "", when it was loaded in ms, until when it is known in ms that there is none,
-- failures, when it is due in s, seconds between two refreshes, since when it is missing in ms, when
-- it is thrown away in ms or -1}; what is unknown is "".

local ours = redis.call('HMGET', KEYS[4], 'loaded', 'absent', 'failures', 'missing')
return {
  redis.call('GET', KEYS[3]) or '',
  ours[1] or '',
  ours[2] or '',
  ours[3] or '',
  redis.call('ZSCORE', KEYS[2], ARGV[1]) or '',
  redis.call('ZSCORE', KEYS[1], ARGV[1]) or '',
  ours[4] or '',
  redis.call('PEXPIRETIME', KEYS[3])
}
