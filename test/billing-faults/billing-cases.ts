import type { BillingCase } from './billing-case.ts'
import { CACHE_WRITES } from './cases/cache-writes.ts'
import { CUT_AND_MISSING } from './cases/cut-and-missing.ts'
import { INVALID_COUNTS } from './cases/invalid-counts.ts'
import { OTHER_COUNTS } from './cases/other-counts.ts'
import { REPEATED_COUNTS } from './cases/repeated-counts.ts'
import { TIERS_AND_TOOLS } from './cases/tiers-and-tools.ts'

/** Every case, by what goes wrong. */
export const BILLING_CASES: Readonly<Record<string, readonly BillingCase[]>> = {
  'Counts that come twice, late, or as zeros': REPEATED_COUNTS,
  'Cache writes of both lengths': CACHE_WRITES,
  'Tiers, hosted tools and iterations': TIERS_AND_TOOLS,
  'Names, places and kinds of tokens': OTHER_COUNTS,
  'Counts that are no number of tokens': INVALID_COUNTS,
  'Streams without their end, replies without a count': CUT_AND_MISSING,
}
