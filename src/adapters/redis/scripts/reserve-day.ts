import { BUCKET_LIFE } from './bucket-life.ts'

/** KEYS: bucket, note. ARGV: amount, an id for a new life, how long its announcement stands in ms. */
export const RESERVE_DAY = `${BUCKET_LIFE}
local life = readLife(KEYS[1], KEYS[2])
if not life.built then
  return { 'absent', announce(KEYS[1], KEYS[2], life, ARGV[2], ARGV[3]) }
end
if life.used + tonumber(ARGV[1]) > life.limit then
  return { 'over', string.format('%.0f', life.limit), string.format('%.0f', life.used) }
end
redis.call('HINCRBY', KEYS[1], 'used', ARGV[1])
return { 'reserved', life.id }
`
