import { BUCKET_LIFE } from './bucket-life.ts'

/** KEYS: entry, then bucket and note of each day. ARGV: how long an announcement stands in ms, then an id for each day. */
export const LOOK_AT_USER = `${BUCKET_LIFE}
local entry = redis.call('HMGET', KEYS[1], 'max_daily_user_limit', 'enable_limit')
local reply = { entry[1], entry[2] }
for index = 2, #ARGV do
  local dayKey, builtKey = KEYS[2 * index - 2], KEYS[2 * index - 1]
  local life = readLife(dayKey, builtKey)
  reply[index + 1] = announce(dayKey, builtKey, life, ARGV[index], ARGV[1])
end
return reply
`
