import type { JsonObject } from '@sluice/dialects/json/json-object'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { createSecrets } from '../../src/adapters/system/secrets.ts'
import { NO_CLIENT, type ReplySink } from '../../src/app/text/contract/reply-sink.ts'
import { readReplies } from '../../src/app/text/kept/read-replies.ts'
import { Recording } from '../../src/app/text/kept/recording.ts'
import { createReplyStore, type ReplyName } from '../../src/app/text/kept/reply-store.ts'
import { createRunningReplies } from '../../src/app/text/kept/running-replies.ts'
import type { BodyTurns } from '../../src/ports/body-turns.ts'
import type { KeptValues } from '../../src/ports/kept-values.ts'
import { openAtOnce } from './open-at-once.ts'

export const NAME = { organizationId: 'org_1', id: 'resp_1' }
const FIRST = { id: 'resp_1', object: 'response', status: 'queued', output: [] }
const KEEPING = { isStored: true, isBackground: true, previousId: undefined }
/** Signal of a client that stays. */
const STAYING = new AbortController().signal
export const secrets = createSecrets('a secret of the tests, long enough to be one')

export type Replicas = ReturnType<typeof createReplicas>
export type Replica = ReturnType<Replicas['open']>

/** Gateways that share the kept values in `rows` and the ids of usage rows in `charged`. */
export function createReplicas() {
  const rows = new Map<string, string>()
  const charged = new Set<string>()
  const values: KeptValues = {
    get: async (key) => rows.get(key),
    set: async (key, value) => void rows.set(key, value),
    delete: async (key) => void rows.delete(key),
    deleteShare: async (name) => {
      for (const key of rows.keys()) if (key.startsWith(name.replace(/s$/, ':'))) rows.delete(key)
    },
  }
  const isCharged = async (usageId: string) => charged.has(usageId)
  const open = (turns?: Pick<BodyTurns, 'take'>) => openReplica(values, isCharged, turns)
  return { rows, values, charged, open }
}

/** One gateway on the shared values. */
export function openReplica(
  values: KeptValues,
  isCharged: (usageId: string) => Promise<boolean>,
  turns: Pick<BodyTurns, 'take'> = { take: (_holder, run) => run() },
) {
  const opener = openAtOnce(secrets)
  const replies = createReplyStore({
    ...{ values, secrets, opener, turns, clock: systemClock },
    ...{ keptMs: 3_600_000, isCharged },
  })
  const running = createRunningReplies({ replies })
  const watch = { attempt: async <T>(ask: () => Promise<T>) => ({ value: await ask() }) }
  const parts = {
    ...{ replies, running, watch, organizationId: 'org_1', provider: 'vendorC' },
    prior: { items: () => '{"role":"user","content":"hello"}' },
  }
  const begin = async () => {
    const recording = new Recording({ ...parts, keeping: KEEPING, first: JSON.stringify(FIRST) })
    await recording.begin()
    return recording
  }
  /** Begins a reply of a connected client: its id is the vendor's. */
  const beginForeground = () => new Recording({ ...parts, keeping: { ...KEEPING, isBackground: false } })
  const kept = readReplies({ replies, running, clock: systemClock })
  const getResponse = async (name: ReplyName) => JSON.parse(await kept.getResponse(name))
  const cancelResponse = async (name: ReplyName, closed = STAYING) =>
    JSON.parse(await kept.cancelResponse(name, closed))
  const deleteResponse = (name: ReplyName, closed = STAYING) => kept.deleteResponse(name, closed)
  /** Returns the items of a conversation as a request that continues it gets them. */
  const findItems = async (name: ReplyName) => {
    const found = await replies.findConversation(name)
    const asked = { request: '{}', provider: 'vendorC' }
    return found && (await opener.join(found, asked, { holder: 'org_1', signal: STAYING }))?.items()
  }
  const acts = { findItems, getResponse, cancelResponse, deleteResponse, getText: kept.getResponse }
  return { replies, running, begin, beginForeground, ...kept, ...acts }
}

const event = (type: string, members: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
export const delta = (text: string, number: number) =>
  event('response.output_text.delta', { delta: text, sequence_number: number })
export const created = event('response.created', {
  response: { ...FIRST, id: 'vendors_own' },
  sequence_number: 0,
})
export const completedWith = (output: readonly object[]) =>
  event('response.completed', {
    response: { ...FIRST, id: 'vendors_own', status: 'completed', output },
    sequence_number: 2,
  })
export const completed = completedWith([{ type: 'message', id: 'msg_1' }])

export async function readAll({ readResponse }: Replica, after = -1): Promise<JsonObject[]> {
  let text = ''
  const sink: ReplySink = {
    ...NO_CLIENT,
    write(bytes) {
      text += String(bytes)
      return true
    },
  }
  await readResponse({ name: NAME, after }, sink)
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(String(data)))
}
