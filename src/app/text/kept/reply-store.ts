import { type SplitValue, splitValue } from '@sluice/dialects/body/kept-jobs'
import type { Conversation } from '@sluice/dialects/responses/kept/conversation'
import { withMembers } from '@sluice/dialects/responses/kept/response-json'
import type { BodyTurns } from '../../../ports/body-turns.ts'
import type { ValueLife } from '../../../ports/cache.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { KeptValues } from '../../../ports/kept-values.ts'
import type { Secrets } from '../../../ports/secrets.ts'
import { turnFor } from '../../waiting/body-turns.ts'
import type { EncryptedValue, OpenValues } from '../cache/open-values.ts'

/**
 * A prepared end is stored before its usage row. A part of it that is longer than this gets a separate value, because
 * escaping and encrypting all parts in one turn would block other requests.
 */
const PREPARED_LENGTH_MAX = 128 * 1024
const PREPARED_PARTS = ['reply', 'events', 'conversation'] as const
/** Maximum size of all kept replies of an organization. */
const SHARE_BYTES_MAX = 64 * 1024 * 1024
/** Life of the value that marks an erased organization: longer than its replies can run after it was disabled. */
const ERASED_MS = 3_600_000
/** Maximum values of an organization that are read or written at once. Long values share a commit; a huge value delays it. */
const LANES = { read: 2, longWrite: 8, hugeWrite: 1 }
/** Parts of the events that a removal deletes at the same time: a long reply has thousands. */
const REMOVED_AT_ONCE = 32
const HUGE_LENGTH_MIN = 4 * PREPARED_LENGTH_MAX
/** Maximum pause after a long write. The pause is as long as the write, and a slow store would make both ever longer. */
const REST_MS_MAX = 200
/** Time that a reply counts as running after its process last renewed the lease. */
const LEASE_MS = 30_000

export interface ReplyName {
  organizationId: string
  id: string
}

/** Accepts more than the ids of vendors. A client may send any text, but only a text that matches is part of a stored key. */
const ID = /^[\w-]{1,128}$/

export function isReplyId(id: string): boolean {
  return ID.test(id)
}

export interface KeptReply {
  /** JSON text that clients get unchanged. */
  response: string
  isBackground: boolean
  /** Whether it was made as a stream, so that its events can be read. */
  hasEvents: boolean
  /** Whether only the first events are kept, because the rest was too long. */
  hasCutEvents?: boolean
  /** Number of parts in which its events are kept; undefined while it runs. */
  parts: number | undefined
  /** Set by readers when the process that ran it is gone; never written. */
  isLost?: true
  /** Last events, if only the prepared end has them because the process died. Set by readers; never written. */
  lastEvents?: string
}

export interface ReplyEnd {
  reply: KeptReply
  /** Events of the last part; empty: all parts are stored already. */
  events: string
  /** undefined: the reply cannot be continued. */
  conversation: Conversation | undefined
}

/** Action that another process requests from the process that runs a reply. */
export type StopAction = 'cancel' | 'delete'

/** Stores replies and their events, encrypted, for a limited time. Every method rejects while the engine is unreachable. */
export interface ReplyStore {
  find(name: ReplyName): Promise<KeptReply | undefined>
  keep(name: ReplyName, reply: KeptReply): Promise<void>
  findPart(name: ReplyName, part: number): Promise<string | undefined>
  keepPart(name: ReplyName, part: number, events: string): Promise<void>
  /** Returns the conversation encrypted, or decrypted if only a prepared end has it. */
  findConversation(name: ReplyName): Promise<EncryptedValue | Conversation | undefined>
  /** Writes the end of a reply before its usage row, without which the end is not read. */
  prepareEnd(name: ReplyName, end: ReplyEnd, usageId: string): Promise<void>
  /** Returns the prepared end if its usage row exists: the process died after the charge, or has not called `keepEnd` yet. */
  findPaidEnd(name: ReplyName): Promise<ReplyEnd | undefined>
  /** Writes the events before the reply, so that a reader never finds an end whose events are missing. */
  keepEnd(name: ReplyName, end: ReplyEnd): Promise<void>
  remove(name: ReplyName): Promise<void>
  renew(name: ReplyName): Promise<void>
  isRunning(name: ReplyName): Promise<boolean>
  requestStop(name: ReplyName, action: StopAction): Promise<void>
  findStopAction(name: ReplyName): Promise<StopAction | undefined>
  /** Whether the organization is erased. Values that are written now have to be removed again. */
  isErased(organizationId: string): Promise<boolean>
  /** Stores the id of the reply that belongs to the claim of an `Idempotency-Key`. */
  keepClaimed(claim: ReplyName, replyId: string): Promise<void>
  findClaimed(claim: ReplyName): Promise<string | undefined>
}

export function createReplyStore(tools: {
  values: KeptValues
  secrets: Secrets
  opener: Pick<OpenValues, 'text' | 'split'>
  turns: Pick<BodyTurns, 'take'>
  clock: Clock
  keptMs: number
  isCharged(usageId: string): Promise<boolean>
}): ReplyStore {
  const { values, secrets, opener, turns, clock, keptMs, isCharged } = tools
  const lanes = new Map<string, Promise<void>>()
  let entered = 0
  const keep: ReplyStore['keep'] = (name, reply) =>
    write(name, 'reply', () => serializeReply(reply), reply.response.length)
  const keepPart: ReplyStore['keepPart'] = (name, part, events) =>
    write(name, `events:${part}`, () => events, events.length)
  return {
    find,
    keep,
    findPart: (name, part) => read(name, `events:${part}`),
    keepPart,
    async findConversation(name) {
      // The running process may keep the end between the first two reads.
      return (
        (await readEncrypted(name, 'conversation')) ??
        (await findPaidEnd(name))?.conversation ??
        (await readEncrypted(name, 'conversation'))
      )
    },
    async prepareEnd(name, end, usageId) {
      const together: Record<string, string> = { usageId }
      let length = 0
      for (const part of PREPARED_PARTS) {
        const partLength = lengthOf(part, end)
        if (partLength === undefined) continue
        if (isLong(part, end)) await write(name, `end:${part}`, () => textOf(part, end), partLength)
        else {
          together[part] = textOf(part, end)
          length += partLength
        }
      }
      await write(name, 'end', () => JSON.stringify(together), length)
    },
    findPaidEnd,
    async keepEnd(name, end) {
      const { reply, events, conversation } = end
      if (conversation !== undefined)
        await write(name, 'conversation', () => JSON.stringify(conversation), conversation.items.length)
      if (events !== '') await keepPart(name, (reply.parts ?? 0) - 1, events)
      await keep(name, reply)
      // Readers on other replicas poll the lease, and rarely read the reply while the lease lasts.
      const prepared = PREPARED_PARTS.filter((part) => isLong(part, end)).map((part) => `end:${part}`)
      await remove(name, ['lease', 'end', ...prepared])
    },
    async remove(name) {
      const parts = (await find(name))?.parts
      await remove(name, ['reply', 'conversation', 'end', ...PREPARED_PARTS.map((part) => `end:${part}`)])
      for (let part = 0; part < (parts ?? Number.POSITIVE_INFINITY); part += REMOVED_AT_ONCE) {
        const some = Array.from({ length: REMOVED_AT_ONCE }, (_, at) => `events:${part + at}`)
        // A process that died has not written the number of parts.
        if (parts === undefined && (await values.get(keyOf(name, `events:${part}`))) === undefined) break
        await remove(name, some)
      }
    },
    // These small values do not count in the share, where they would be evicted first because they expire first.
    renew: (name) => values.set(keyOf(name, 'lease'), 'running', { ttlMs: LEASE_MS }),
    isRunning: async (name) => (await values.get(keyOf(name, 'lease'))) !== undefined,
    requestStop: (name, action) => values.set(keyOf(name, 'stop'), action, { ttlMs: keptMs }),
    async findStopAction(name) {
      const action = await values.get(keyOf(name, 'stop'))
      return action === 'cancel' || action === 'delete' ? action : undefined
    },
    isErased: async (organizationId) => (await values.get(erasedKeyOf(organizationId))) !== undefined,
    keepClaimed: (claim, replyId) => write(claim, 'claimed', () => replyId, replyId.length),
    findClaimed: (claim) => read(claim, 'claimed'),
  }

  function find(name: ReplyName): Promise<KeptReply | undefined> {
    return inLane(name, 'read', async () => {
      const value = await readEncrypted(name, 'reply')
      const split = value && (await opener.split(value, 'response', name.organizationId))
      await turnFor(turns, name.organizationId, split?.member.length ?? 0)
      return split && replyOf(split)
    })
  }

  async function findPaidEnd(name: ReplyName): Promise<ReplyEnd | undefined> {
    const text = await read(name, 'end')
    if (text === undefined) return undefined
    const { usageId, ...together } = JSON.parse(text)
    if (!(await isCharged(usageId))) return undefined
    const partOf = async (part: PreparedPart): Promise<string | undefined> =>
      together[part] ?? (await read(name, `end:${part}`))
    const reply = await partOf('reply')
    const events = await partOf('events')
    const conversation = await partOf('conversation')
    // The oldest values of an organization that exceeds its share are gone.
    if (reply === undefined || events === undefined) return undefined
    return {
      reply: replyOf(splitValue(reply, 'response')),
      events,
      conversation: conversation === undefined ? undefined : JSON.parse(conversation),
    }
  }

  async function remove(name: ReplyName, parts: readonly string[]): Promise<void> {
    await Promise.all(parts.map((what) => values.delete(keyOf(name, what))))
  }

  function read(name: ReplyName, what: string): Promise<string | undefined> {
    return inLane(name, 'read', async () => {
      const value = await readEncrypted(name, what)
      const text = value && (await opener.text(value, name.organizationId))
      await turnFor(turns, name.organizationId, text?.length ?? 0)
      return text
    })
  }

  /** Runs the work of a lane one after the other, with a pause after each. */
  function inLane<T>(
    { organizationId }: ReplyName,
    kind: keyof typeof LANES,
    run: () => Promise<T>,
    pause = async () => {},
  ): Promise<T> {
    entered += 1
    const lane = `${organizationId}:${kind}:${entered % LANES[kind]}`
    const work = (lanes.get(lane) ?? Promise.resolve()).then(run)
    const forget = () => void (lanes.get(lane) === end && lanes.delete(lane))
    const end: Promise<void> = work.then(pause, pause).then(forget)
    lanes.set(lane, end)
    return work
  }

  async function readEncrypted(name: ReplyName, what: string): Promise<EncryptedValue | undefined> {
    const key = keyOf(name, what)
    // SQLite reads on this thread, and a value may be megabytes long, so each read waits for its turn.
    await new Promise<void>((resolve) => turns.take(name.organizationId, resolve))
    const encrypted = await values.get(key)
    return encrypted === undefined ? undefined : { encrypted, boundTo: key }
  }

  /** Many replies may end together. After a long value, a pause as long as its write lets other organizations write. */
  async function write(name: ReplyName, what: string, make: () => string, length: number): Promise<void> {
    const key = keyOf(name, what)
    const share = { name: shareOf(name.organizationId), bytesMax: SHARE_BYTES_MAX }
    const life: ValueLife = { ttlMs: keptMs, share }
    let beganMs = 0
    const set = async () => {
      await turnFor(turns, name.organizationId, length)
      beganMs = clock.monotonicMs()
      await values.set(key, secrets.encrypt(make(), key), life)
    }
    const restMs = () => Math.min(clock.monotonicMs() - beganMs, REST_MS_MAX)
    const rest = () => new Promise<void>((resolve) => setTimeout(resolve, restMs()))
    const kind = length < HUGE_LENGTH_MIN ? 'longWrite' : 'hugeWrite'
    await (length > PREPARED_LENGTH_MAX ? inLane(name, kind, set, rest) : set())
  }

  function keyOf({ organizationId, id }: ReplyName, what: string): string {
    return `sluice:{org:${organizationId}}:response:${id}:${what}`
  }
}

function shareOf(organizationId: string): string {
  return `sluice:{org:${organizationId}}:responses`
}

function erasedKeyOf(organizationId: string): string {
  return `sluice:{org:${organizationId}}:responses:erased`
}

/** Removes all kept replies of an organization. A reply that still runs finds `erased` at its end and removes itself. */
export async function eraseReplies(organizationId: string, values: KeptValues): Promise<void> {
  await values.set(erasedKeyOf(organizationId), 'erased', { ttlMs: ERASED_MS })
  await values.deleteShare(shareOf(organizationId))
}

/** The response is inserted and extracted as text, because it may be large and most readers only pass it on. */
function serializeReply({ response, ...state }: KeptReply): string {
  return withMembers(JSON.stringify(state), { response })
}

function replyOf({ member: response, rest }: SplitValue): KeptReply {
  const { isBackground, hasEvents, hasCutEvents, parts }: Omit<KeptReply, 'response'> = Object(rest)
  return { response, isBackground, hasEvents, hasCutEvents, parts }
}

type PreparedPart = (typeof PREPARED_PARTS)[number]

function textOf(part: PreparedPart, { reply, events, conversation }: ReplyEnd): string {
  if (part === 'reply') return serializeReply(reply)
  return part === 'events' ? events : JSON.stringify(conversation)
}

/** Returns undefined for a part that the end does not have. */
function lengthOf(part: PreparedPart, { reply, events, conversation }: ReplyEnd): number | undefined {
  if (part === 'reply') return reply.response.length
  return part === 'events' ? events.length : conversation?.items.length
}

function isLong(part: PreparedPart, end: ReplyEnd): boolean {
  return (lengthOf(part, end) ?? 0) > PREPARED_LENGTH_MAX
}
