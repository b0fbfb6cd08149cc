import type { Figures } from './figures.ts'
import { compareWays } from './text/compare-ways.ts'
import { imageOf } from './text/requests.ts'

const EVERY_KIND = ['direct', 'dispatch', 'pipe', 'nginx', 'sluice', 'llms', 'portkey'] as const
const CHEAP_KINDS = ['dispatch', 'nginx', 'sluice'] as const
const CLIENTS = ['messages', 'responses'] as const

/** Whole replies of 1.5 KB that the upstream sends without delay. */
export async function textWhole(): Promise<Figures[]> {
  return [
    await compareWays({
      title: 'Whole replies, 64 at once',
      ...{ stream: false, kinds: EVERY_KIND, clients: CLIENTS, atOnce: 64, perRound: 3_000 },
      goals: { partOfDispatch: 0.7, micros: { messages: 270, responses: 290 }, timesPortkey: 5.2 },
    }),
  ]
}

/** Streams of 100 events that the upstream sends in one piece. */
export async function textStream(): Promise<Figures[]> {
  return [
    await compareWays({
      title: 'Streams of 100 events, 64 at once',
      ...{ stream: true, kinds: EVERY_KIND, clients: CLIENTS, atOnce: 64, perRound: 3_000 },
      goals: {
        micros: { messages: 370, responses: 440 },
        convertedMicros: { messages: 510, responses: 600 },
      },
    }),
  ]
}

/** Chat completions beside messages, passed on and converted. */
export async function textChat(): Promise<Figures[]> {
  const scene = { kinds: ['sluice'], clients: ['messages', 'chat'], atOnce: 64 } as const
  return [
    await compareWays({
      title: 'Chat beside messages, whole replies',
      ...{ ...scene, stream: false, perRound: 3_000, goals: { chatPercent: 100 } },
    }),
    await compareWays({
      title: 'Chat beside messages, streams of 100 events',
      ...{ ...scene, stream: true, perRound: 3_000, goals: { chatPercent: 100 } },
    }),
  ]
}

export async function textAtOnce(): Promise<Figures[]> {
  const kinds = [...CHEAP_KINDS, 'llms', 'portkey'] as const
  const figures: Figures[] = []
  for (const [atOnce, perRound] of [
    [1, 500],
    [500, 1_500],
  ] as const) {
    const title = `Whole replies, ${atOnce} at once`
    figures.push(await compareWays({ title, stream: false, kinds, atOnce, perRound }))
  }
  return figures
}

export async function textTls(): Promise<Figures[]> {
  const scene = { kinds: [...CHEAP_KINDS, 'pipe'] as const, tls: true, atOnce: 64 }
  return [
    await compareWays({
      title: 'Whole replies, upstream with TLS',
      ...{ ...scene, stream: false, perRound: 3_000, goals: { partOfDispatch: 0.7 } },
    }),
    await compareWays({
      title: 'Streams of 100 events, upstream with TLS',
      ...{ ...scene, stream: true, perRound: 3_000 },
    }),
  ]
}

/** Requests with images; 2 KB is what the other comparisons send. */
export async function textSizes(): Promise<Figures[]> {
  const scene = { stream: false, kinds: [...CHEAP_KINDS, 'llms', 'portkey'] as const }
  const small = [imageOf(150_000)]
  const large = Array.from({ length: 3 }, () => imageOf(3 * 1024 * 1024))
  return [
    await compareWays({
      title: 'Requests of 200 KB, 16 at once',
      ...{ ...scene, images: small, atOnce: 16, perRound: 200 },
    }),
    await compareWays({
      title: 'Requests of 12 MB, 2 at once',
      ...{ ...scene, images: large, atOnce: 2, perRound: 10 },
    }),
  ]
}
