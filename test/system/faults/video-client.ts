import { setTimeout as delay } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { request } from 'undici'
import { TASKS_PATH } from '../../api/video/call-api.ts'

/** A client that wants its order once, and repeats its requests until the task has ended. */
export interface OrderClient {
  /** Repeats the order with one key until it is acknowledged; then polls until the task has ended. */
  follow(order: { name: string; body: object }): Promise<FollowedOrder>
  get(id: string): Promise<Answer>
  create(order: { name: string; body: object }): Promise<Answer>
  /** Answers that were neither the task nor a request to retry: there must be none. */
  readonly surprises: string[]
}

export interface FollowedOrder {
  name: string
  id: string
  status: string
  errorCode: string | undefined
  /** Number of times that the order was sent. */
  sent: number
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: JsonObject
}

const ENDS: ReadonlySet<unknown> = new Set(['succeeded', 'failed', 'cancelled'])
const PAUSE_MS = 60
/** Leases of dead processes must lapse within this time, several of them one after the other. */
const PATIENCE_MS = 240_000

export function openOrderClient({
  baseUrl,
  key,
}: {
  /** Address of one gateway, or a function that chooses one of several. */
  baseUrl: string | (() => string)
  key: string
}): OrderClient {
  const surprises: string[] = []

  const call = async (path: string, options: object): Promise<Answer> => {
    const origin = typeof baseUrl === 'string' ? baseUrl : baseUrl()
    const { statusCode, headers, body } = await request(`${origin}${path}`, { reset: true, ...options })
    const value: unknown = JSON.parse(await body.text())
    if (!isJsonObject(value)) throw new Error('every answer is a JSON object')
    return { status: statusCode, headers, body: value }
  }
  const authorization = `Bearer ${key}`
  const get = (id: string) => call(`${TASKS_PATH}/${id}`, { headers: { authorization } })
  const create = ({ name, body }: { name: string; body: object }) =>
    call(TASKS_PATH, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify(body),
    })

  return {
    surprises,
    get,
    create,
    async follow(order) {
      const untilMs = Date.now() + PATIENCE_MS
      const created = await insist(`create ${order.name}`, () => create(order), { untilMs })
      const id = String(created.answer.body.id)
      let { body } = created.answer
      while (!ENDS.has(body.status)) {
        await delay(PAUSE_MS)
        body = (await insist(`get ${order.name} ${id}`, () => get(id), { untilMs })).answer.body
        if (body.id !== id) surprises.push(`asked for ${id}, got ${String(body.id)}`)
      }
      const error = isJsonObject(body.error) ? String(body.error.code) : undefined
      return { name: order.name, id, status: String(body.status), errorCode: error, sent: created.times }
    },
  }

  /** Retries failed connections and answers that ask for a retry; any other status than 200 is a surprise. */
  async function insist(what: string, ask: () => Promise<Answer>, { untilMs }: { untilMs: number }) {
    let last = 'nothing'
    for (let times = 1; Date.now() < untilMs; times += 1) {
      const answer = await ask().catch((error: unknown) => {
        last = String(error)
        return undefined
      })
      if (answer?.status === 200) return { answer, times }
      if (answer !== undefined) {
        last = `${answer.status} ${JSON.stringify(answer.body)}`
        if (!isComeAgain(answer)) {
          surprises.push(`${what}: ${last}`)
          throw new Error(surprises.at(-1))
        }
      }
      await delay(PAUSE_MS)
    }
    throw new Error(`${what} came to nothing: ${last}`)
  }
}

const COME_AGAIN: ReadonlySet<string> = new Set([
  '409 idempotency_key_in_use',
  '429 upstream_busy',
  '503 provider_unavailable',
  '503 store_unavailable',
  '503 overloaded',
])

function isComeAgain({ status, body }: Answer): boolean {
  const code = isJsonObject(body.error) ? body.error.code : undefined
  return COME_AGAIN.has(`${status} ${String(code)}`)
}
