import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { TASKS_PATH } from '../../api/video/call-api.ts'
import type { SeededRandom } from '../../random/seeded-random.ts'
import { CELLS } from './text-world.ts'

const KINDS = ['whole', 'stream', 'video', 'refund'] as const
type Kind = (typeof KINDS)[number]

/** Clients that cause charges of every kind, again and again, and that a killed gateway does not stop. */
export interface MixedLoad {
  /** Number of complete responses by kind. */
  counts: Readonly<Record<Kind, number>>
  /** Resolves after this number of further complete responses. */
  ended(count: number): Promise<void>
  endedOfEach(count: number): Promise<void>
  /** Sends nothing new until `resume`, so that a restart and a check have the machine. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

const CLIENTS = 8
const PAUSE_MS = 10
const ENDS: ReadonlySet<unknown> = new Set(['succeeded', 'failed', 'cancelled'])

export function startMixedLoad({
  baseUrl,
  key,
  adminKey,
  random,
}: {
  baseUrl: string
  key: string
  adminKey: string
  random: SeededRandom
}): MixedLoad {
  const counts: Record<Kind, number> = { whole: 0, stream: 0, video: 0, refund: 0 }
  /** Requests and tasks that were charged and not given back. */
  const charged: string[] = []
  let isPaused = false
  let isStopped = false
  const authorization = `Bearer ${key}`
  const clients = Array.from({ length: CLIENTS }, (_, index) => goOn(index))

  async function goOn(index: number): Promise<void> {
    for (let turn = index; !isStopped; turn += isPaused ? 0 : 1) {
      const kind = KINDS[turn % KINDS.length] ?? 'whole'
      if (isPaused) {
        await delay(PAUSE_MS)
        continue
      }
      // A request that a kill has cut is not counted here; the store may have it or not.
      if (await act(kind).catch(() => false)) counts[kind] += 1
      else await delay(PAUSE_MS)
    }
  }

  function act(kind: Kind): Promise<boolean> {
    if (kind === 'video') return makeVideo()
    if (kind === 'refund') return refund()
    return askText(kind)
  }

  async function askText(kind: 'whole' | 'stream'): Promise<boolean> {
    const { path, model } = random.pick<(typeof CELLS)[number]>(CELLS)
    const prompt = `[count ${random.integer(1, 60)}] [pace ${random.integer(0, 5)}]`
    const asked =
      path === '/v1/messages'
        ? { max_tokens: 1_000, messages: [{ role: 'user', content: prompt }] }
        : { input: prompt, store: false }
    const { status, requestId } = await post(path, { model, stream: kind === 'stream', ...asked })
    if (status === 200) charged.push(requestId)
    return status === 200
  }

  async function makeVideo(): Promise<boolean> {
    const model = random.pick(['vendorA/gen-2.0', 'vendorB/gen-v4-std'])
    const content = [{ type: 'text', text: 'a river [instant]' }]
    let { status, body } = await post(TASKS_PATH, { model, content })
    if (status !== 200) return false
    const { id } = JSON.parse(body)
    while (!ENDS.has(JSON.parse(body).status) && !isStopped) {
      await delay(PAUSE_MS)
      ;({ status, body } = await read(`${TASKS_PATH}/${id}`))
      if (status !== 200) return false
    }
    charged.push(id)
    return true
  }

  /** Refunds a charge, or a part of it. */
  async function refund(): Promise<boolean> {
    const id = charged.splice(random.integer(0, charged.length), 1)[0]
    if (id === undefined) return false
    const part = random.pick([{}, { amount_micros: 1 }])
    const { status } = await post('/admin/v1/ledger/refunds', { task_id: id, note: 'a test', ...part })
    return status === 200
  }

  async function post(path: string, body: object) {
    const headers = {
      ...{ authorization, 'x-admin-key': adminKey, 'content-type': 'application/json' },
      'compat-version': '2023-06-01',
    }
    return answerOf(path, { method: 'POST', headers, body: JSON.stringify(body), reset: true })
  }

  const read = (path: string) => answerOf(path, { headers: { authorization }, reset: true })

  async function answerOf(path: string, options: object) {
    const { statusCode, headers, body } = await request(`${baseUrl}${path}`, options)
    return { status: statusCode, requestId: String(headers['x-request-id']), body: await body.text() }
  }

  const total = () => KINDS.reduce((sum, kind) => sum + counts[kind], 0)
  const until = async (holds: () => boolean) => {
    while (!holds()) await delay(PAUSE_MS)
  }
  return {
    counts,
    ended(count) {
      const goal = total() + count
      return until(() => total() >= goal)
    },
    endedOfEach(count) {
      const goals = { ...counts }
      return until(() => KINDS.every((kind) => counts[kind] >= goals[kind] + count))
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
    },
    async stop() {
      isStopped = true
      await Promise.all(clients)
    },
  }
}
