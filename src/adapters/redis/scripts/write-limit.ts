import { LIMIT_ENTRY } from './limit-entry.ts'

/** KEYS: entry. ARGV: the entry that was seen as JSON, then both values of the new one. Returns 0 when it is another by now. */
export const WRITE_LIMIT = `${LIMIT_ENTRY}
if not isSeen(KEYS[1], cjson.decode(ARGV[1])) then return 0 end
writeEntry(KEYS[1], ARGV[2], ARGV[3])
return 1
`
