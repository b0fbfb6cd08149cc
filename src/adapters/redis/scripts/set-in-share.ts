/**
 * Sets a value and keeps its share within its bound: the values that would end first go.
 *
 * KEYS: the value, the share's index, the share's sum of bytes. ARGV: the value, its life in ms, the share's bound in bytes.
 * A member of the index is `<bytes> <key>`, its score the moment when the value ends. The sum is counted again from the
 * index when the server has evicted it.
 */
export const SET_IN_SHARE = `
local key, index, sum = KEYS[1], KEYS[2], KEYS[3]
local value, life, bound = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
-- What the server keeps for a value and its place in the index besides their bytes.
local OVERHEAD = 200
local function bytes_of(length) return #key + length + OVERHEAD end
local function bytes_in(member) return tonumber(string.match(member, '^%d+')) end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local total = tonumber(redis.call('GET', sum) or '')
if redis.call('EXISTS', index) == 0 then
  total = 0
elseif total == nil then
  total = 0
  for _, member in ipairs(redis.call('ZRANGE', index, 0, -1)) do total = total + bytes_in(member) end
end

local old = redis.call('STRLEN', key)
if old > 0 and redis.call('ZREM', index, bytes_of(old) .. ' ' .. key) == 1 then
  total = total - bytes_of(old)
end
for _, member in ipairs(redis.call('ZRANGEBYSCORE', index, '-inf', now, 'LIMIT', 0, 1000)) do
  redis.call('ZREM', index, member)
  total = total - bytes_in(member)
end

local bytes = bytes_of(#value)
if bytes > bound then
  redis.call('DEL', key)
else
  while total + bytes > bound do
    local oldest = redis.call('ZPOPMIN', index)[1]
    if oldest == nil then
      total = 0
      break
    end
    redis.call('DEL', string.match(oldest, '^%d+ (.*)$'))
    total = total - bytes_in(oldest)
  end
  redis.call('SET', key, value, 'PX', life)
  redis.call('ZADD', index, now + life, bytes .. ' ' .. key)
  total = total + bytes
end
local left = math.max(life, redis.call('PTTL', index))
redis.call('PEXPIRE', index, left)
redis.call('SET', sum, total, 'PX', left)
`
