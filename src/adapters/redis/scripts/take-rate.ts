/**
 * KEYS: one bucket for each limit, "debt moment". ARGV: the requests per minute of each, in the same order.
 * The rules are those of `domain/limits/rate-bucket.ts`, with the clock of Redis. Returns whether the request was
 * counted, then the debt of each bucket.
 */
export const TAKE_RATE = `
local REQUEST_DEBT = 60000000
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local debts, allowed = {}, true

for index, bucket in ipairs(redis.call('MGET', unpack(KEYS))) do
  local limit = tonumber(ARGV[index])
  local debt, at = string.match(bucket or '', '^(%d+) (%d+)$')
  local paid = math.max(0, now - tonumber(at or now)) * limit
  debts[index] = math.min(math.max(0, tonumber(debt or 0) - paid), REQUEST_DEBT * limit)
  if debts[index] + REQUEST_DEBT > REQUEST_DEBT * limit then allowed = false end
end

local reply = { allowed and 1 or 0 }
for index, key in ipairs(KEYS) do
  local debt = debts[index] + (allowed and REQUEST_DEBT or 0)
  if debt > 0 then
    local fullAfter = math.ceil(debt / tonumber(ARGV[index]) / 1000)
    redis.call('SET', key, string.format('%.0f %.0f', debt, now), 'PX', fullAfter)
  end
  reply[index + 1] = string.format('%.0f', debt)
end
return reply
`
