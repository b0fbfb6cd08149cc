import { BODY_SHAPES, type BodyShape, MODEL } from '../test/api/text/body-shapes.ts'
import { atMost, type Figures, type Goal } from './figures.ts'
import { IS_QUICK, median } from './rounds.ts'
import { GOAL_TURN_MS, type Longest, startWatched } from './text/longest-turn.ts'

/** Body sizes: just below the limit, the most that the main thread reads, and small. */
const SIZES_BYTES = [31 * 1024 * 1024, 250 * 1024, 60 * 1024]
const ROUNDS = IS_QUICK ? 1 : 3
const SHOWN = 3

const PATHS = {
  messages: '/v1/messages',
  responses: '/v1/responses',
  count: '/v1/messages/count_tokens',
} as const

/** Bodies that are costly in many ways: the time for which each blocks every other request. */
export async function bodyShapes(): Promise<Figures[]> {
  await using sluice = await startWatched()
  const rows: Figures['rows'] = {}
  const goals: Goal[] = []
  for (const bytes of SIZES_BYTES) {
    const found: [name: string, turn: Longest & { statuses: string }][] = []
    for (const shape of BODY_SHAPES) {
      const turns = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const body = withModel(shape.make(bytes), `vendorC/${shape.vendor}`)
        turns.push(await sluice.send(PATHS[shape.endpoint], body))
      }
      const cpuMs = median(turns.map((turn) => turn.cpuMs))
      const wallMs = median(turns.map((turn) => turn.wallMs))
      const statuses = [...new Set(turns.map(({ status }) => status))].join(', ')
      found.push([nameOf(shape), { cpuMs, wallMs, statuses }])
    }
    const sorted = found.toSorted(([, one], [, other]) => other.cpuMs - one.cpuMs)
    const size = `${Math.round(bytes / 1024)} KiB`
    for (const [name, { cpuMs, wallMs, statuses }] of sorted.slice(0, SHOWN)) {
      rows[`${size}, ${name}`] = {
        'longest turn, CPU ms': cpuMs,
        'by the clock': wallMs,
        status: statuses,
      }
    }
    const longestMs = sorted[0]?.[1].cpuMs ?? NaN
    goals.push(atMost(`Longest turn, ${found.length} shapes of ${size}`, longestMs, GOAL_TURN_MS, 'ms'))
  }
  const note = `The ${SHOWN} longest of ${BODY_SHAPES.length} shapes at each size.`
  return [{ title: 'Bodies made to be costly: the longest turn of the event loop', note, rows, goals }]
}

function nameOf({ name, endpoint, vendor }: BodyShape): string {
  return `${name}, ${endpoint} to ${vendor}`
}

/** The name stands near the beginning; megabytes are not decoded for it. */
function withModel(body: Buffer, model: string): Buffer {
  const at = body.indexOf(MODEL)
  if (at === -1) return body
  return Buffer.concat([body.subarray(0, at), Buffer.from(model), body.subarray(at + MODEL.length)])
}
