import { atMost, type Figures, type Goal } from './figures.ts'
import { median, ROUNDS } from './rounds.ts'
import { GOAL_TURN_MS, startWatched } from './text/longest-turn.ts'
import { imageOf, requestIn } from './text/requests.ts'

const IMAGES = 3
const IMAGE_BYTES = 4 * 1024 * 1024

const CELLS = [
  ['messages', 'messages'],
  ['responses', 'responses'],
  ['messages', 'chat'],
  ['messages', 'responses'],
  ['responses', 'chat'],
] as const

/** One request with 12 MB of images: the wait of other requests. */
export async function textImage(): Promise<Figures[]> {
  await using sluice = await startWatched()
  const images = Array.from({ length: IMAGES }, () => imageOf(IMAGE_BYTES))
  const rows: Figures['rows'] = {}
  const goals: Goal[] = []
  for (const [client, model] of CELLS) {
    const request = requestIn(client, { model: `vendorC/${model}`, stream: false, images })
    const turns = []
    for (let round = 0; round < ROUNDS; round++) {
      const turn = await sluice.send(request.path, request.body)
      if (turn.status !== 200) throw new Error(`${client} -> ${model} answered ${turn.status}`)
      turns.push(turn)
    }
    const cpuMs = median(turns.map((turn) => turn.cpuMs))
    rows[`${client} -> ${model}`] = {
      'longest turn, CPU ms': cpuMs,
      'by the clock': median(turns.map((turn) => turn.wallMs)),
    }
    goals.push(atMost(`Longest turn for 12 MB of images, ${client} -> ${model}`, cpuMs, GOAL_TURN_MS, 'ms'))
  }
  return [{ title: 'One request with 12 MB of images: the longest turn of the event loop', rows, goals }]
}
