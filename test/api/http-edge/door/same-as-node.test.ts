import { describe, expect, test } from 'vitest'
import { drawsOf } from '../../../random/full-run.ts'
import { seedOfRun } from '../../../random/seed-of-run.ts'
import { seededRandom } from '../../../random/seeded-random.ts'
import { drawBytes, drawPackets } from './draw-bytes.ts'
import { type Reading, readingServer } from './two-servers.ts'

const CASES = drawsOf({ quick: 20_000, rest: 50_000, whole: 1_000_000 })
const AT_ONCE = 200

describe('the fast door in front of Node', () => {
  test('reads what it takes as Node does, and takes nothing that Node refuses', async () => {
    const node = readingServer(false)
    const door = readingServer(true)
    const seed = seedOfRun()
    let byDoor = 0
    let refused = 0
    for (let from = 0; from < CASES; from += AT_ONCE) {
      const cases = Array.from({ length: AT_ONCE }, (_, at) => {
        const random = seededRandom(seed + from + at)
        return drawPackets(drawBytes(random), random)
      })
      const expected = await Promise.all(cases.map((packets) => node.read(packets)))
      const found = await Promise.all(cases.map((packets) => door.read(packets)))
      for (const [at, reading] of found.entries()) {
        const fault = faultIn(reading, expected[at])
        if (fault !== undefined)
          throw new Error(
            `${fault}\nseed ${seed + from + at}: ${cases[at]?.map((bytes) => JSON.stringify(bytes.toString('latin1'))).join(' | ')}\n${JSON.stringify(expected[at])}\n${JSON.stringify(reading)}`,
          )
        byDoor += reading.byDoor
        if (reading.isRefused) refused += 1
      }
    }
    // The comparison is worth something only while the door reads many, and many are refused.
    expect(byDoor).toBeGreaterThan(CASES / 2)
    expect(refused).toBeGreaterThan(CASES / 20)
  })
})

/** The door may refuse more than Node, and must not read anything else. */
function faultIn(door: Reading, node: Reading | undefined): string | undefined {
  if (node === undefined) return 'no reading'
  if (door.requests.length > node.requests.length) return 'the door took more requests'
  for (const [at, request] of door.requests.entries()) {
    const same = node.requests[at]
    if (JSON.stringify(request) !== JSON.stringify(same)) return `request ${at} differs`
  }
  if (!node.written.startsWith(door.written)) return 'the answers differ'
  const isShort = door.requests.length < node.requests.length
  if (isShort && !door.isRefused) return 'the door left a request without an answer'
  return undefined
}
