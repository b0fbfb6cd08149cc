import { BUCKET_LIFE } from './bucket-life.ts'

/**
 * KEYS: bucket, note. ARGV: the life it was reserved in or '', the reserved amount, the change, its version or '', and
 * '1' when every replica tells of it.
 * Returns 1 when there is a bucket.
 */
export const APPLY_DAY = `${BUCKET_LIFE}
local life = readLife(KEYS[1], KEYS[2])
local version = tonumber(ARGV[4])
if life.id and version and version > life.seen then
  redis.call('HSET', KEYS[2], 'seen', ARGV[4])
end
if not life.built then return 0 end
if ARGV[5] == '1' and redis.call('HSETNX', KEYS[2], 'told:' .. ARGV[4], '1') == 0 then return 1 end
local written = version and tonumber(ARGV[3]) or 0
local difference = 0
if life.id == ARGV[1] then
  difference = written - tonumber(ARGV[2])
elseif version and version > life.built then
  difference = written
end
redis.call('HINCRBY', KEYS[1], 'used', string.format('%.0f', difference))
return 1
`
