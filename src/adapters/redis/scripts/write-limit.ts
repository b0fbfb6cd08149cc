import { BUCKET_LIFE } from './bucket-life.ts'

/** KEYS: entry. ARGV: the entry that was seen as JSON, then both values of the new one. Returns 0 when it is another by now. */
export const WRITE_LIMIT = `${BUCKET_LIFE}
if not isSeen(KEYS[1], cjson.decode(ARGV[1])) then return 0 end
redis.call('HSET', KEYS[1], 'max_daily_user_limit', ARGV[2], 'enable_limit', ARGV[3])
return 1
`
