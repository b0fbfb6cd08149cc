import { BUCKET_LIFE } from './bucket-life.ts'

/** KEYS: bucket and note of each day. ARGV: how long an announcement stands in ms, then an id for each day. */
export const LOOK_AT_USER = `${BUCKET_LIFE}
local lives = {}
for index = 1, #ARGV - 1 do
  local dayKey, builtKey = KEYS[2 * index - 1], KEYS[2 * index]
  local life = readLife(dayKey, builtKey)
  lives[index] = announce(dayKey, builtKey, life, ARGV[index + 1], ARGV[1])
end
return lives
`
