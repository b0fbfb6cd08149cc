import { seededRandom } from '../../../random/seeded-random.ts'
import { drawBytes, drawPackets } from './draw-bytes.ts'
import { type Reading, readingServer } from './two-servers.ts'

const CONCURRENT = 200

export interface Compared {
  /** Requests that the door read. */
  byDoor: number
  /** Connections of which something was refused. */
  refused: number
}

/** Gives the same packets to Node's server alone and behind the door. Throws where they read them differently. */
export async function compareMany(firstSeed: number, cases: number): Promise<Compared> {
  const node = readingServer(false)
  const door = readingServer(true)
  const compared = { byDoor: 0, refused: 0 }
  for (let from = 0; from < cases; from += CONCURRENT) {
    const drawn = Array.from({ length: Math.min(CONCURRENT, cases - from) }, (_, at) => {
      const random = seededRandom(firstSeed + from + at)
      return drawPackets(drawBytes(random), random)
    })
    const expected = await Promise.all(drawn.map((packets) => node.read(packets)))
    const found = await Promise.all(drawn.map((packets) => door.read(packets)))
    for (const [at, reading] of found.entries()) {
      const fault = faultIn(reading, expected[at])
      if (fault !== undefined) throw new Error(described(fault, firstSeed + from + at, drawn[at] ?? []))
      compared.byDoor += reading.byDoor
      if (reading.isRefused) compared.refused += 1
    }
  }
  return compared
}

function described(fault: string, seed: number, packets: readonly Buffer[]): string {
  const texts = packets.map((packet) => JSON.stringify(packet.toString('latin1')))
  return [`${fault}, seed ${seed}`, ...texts].join('\n')
}

/** The door may refuse more than Node, and must not read anything else. */
function faultIn(door: Reading, node: Reading | undefined): string | undefined {
  if (node === undefined) return 'Node read nothing'
  if (door.requests.length > node.requests.length) return 'the door took more requests'
  for (const [at, request] of door.requests.entries()) {
    if (JSON.stringify(request) !== JSON.stringify(node.requests[at])) return `request ${at} differs`
  }
  if (!node.written.startsWith(door.written)) return 'the answers differ'
  if (door.requests.length < node.requests.length && !door.isRefused) return 'a request has no answer'
  return undefined
}
