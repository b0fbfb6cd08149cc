/**
 * `npm run presets:compare`: compares the prices of every preset with the public list of `@pydantic/genai-prices`. It
 * exits with 1 when a difference is not reviewed, or a reviewed difference is gone.
 */
import { ACCEPTED } from './accepted-differences.ts'
import { comparePrices } from './compare-prices.ts'

const found = comparePrices()
const fresh = found.filter((line) => !ACCEPTED.has(line))
const gone = [...ACCEPTED.keys()].filter((line) => !found.includes(line))
for (const line of found) process.stdout.write(`${ACCEPTED.has(line) ? 'accepted  ' : 'NEW       '}${line}\n`)
for (const line of gone) process.stdout.write(`GONE      ${line}\n`)
process.exitCode = fresh.length + gone.length === 0 ? 0 : 1
