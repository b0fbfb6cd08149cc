import { type SplitValue, splitValue } from '../../../llm/body/kept-jobs.ts'
import type { Conversation } from '../../../llm/responses/kept/conversation.ts'
import { withMembers } from '../../../llm/responses/kept/response-json.ts'
import type { ValueLife } from '../../../ports/cache.ts'
import type { KeptValues } from '../../../ports/kept-values.ts'
import type { Secrets } from '../../../ports/secrets.ts'
import type { ClosedValue, OpenValues } from './open-values.ts'

/** Of one reply: its response, its events before the last one, and its conversation, each. */
export const KEPT_LENGTH_MAX = 2 * 1024 * 1024
/** A longer part of a prepared end is written by itself: to escape and encrypt all of them at once would hold up other requests. */
const PREPARED_LENGTH_MAX = 128 * 1024
const PREPARED_PARTS = ['reply', 'events', 'conversation'] as const
/** All that an organization has there. */
const SHARE_BYTES_MAX = 64 * 1024 * 1024
/** Longer than a reply runs on after its organization was disabled. */
const ERASED_MS = 3_600_000
/** How long a reply counts as running after its process was last seen. */
const LEASE_MS = 30_000

/** Whose reply, and which. */
export interface ReplyName {
  organizationId: string
  id: string
}

/** Wider than the ids that vendors make. A client may ask for anything, and what cannot be an id is no part of a key. */
const ID = /^[\w-]{1,128}$/

export function isReplyId(id: string): boolean {
  return ID.test(id)
}

/** A reply as it is kept. */
export interface KeptReply {
  /** As JSON: clients get these characters. */
  response: string
  isBackground: boolean
  /** Whether it was made as a stream, so that its events can be read. */
  hasEvents: boolean
  /** Its first events are kept, and the others were too much. */
  hasCutEvents?: boolean
  /** In how many parts its events are kept; undefined while it runs. */
  parts: number | undefined
  /** The process that ran it is gone. Never written: those who read it find it out. */
  isLost?: true
  /** The last of its events, where only the end that waited for its usage row has them. Never written with the reply. */
  lastEvents?: string
}

/** How a reply ends. */
export interface ReplyEnd {
  reply: KeptReply
  /** The last of its parts; empty: they are all written. */
  events: string
  /** undefined: nothing to go on from. */
  conversation: Conversation | undefined
}

/** What a process that runs a reply is asked from another one. */
export type StopWish = 'cancel' | 'delete'

/** Replies and their events, encrypted, for as long as they are kept. Every method rejects while the engine is unreachable. */
export interface ReplyShelf {
  find(name: ReplyName): Promise<KeptReply | undefined>
  keep(name: ReplyName, reply: KeptReply): Promise<void>
  findPart(name: ReplyName, part: number): Promise<string | undefined>
  keepPart(name: ReplyName, part: number, events: string): Promise<void>
  /** Its conversation as it is kept; opened where only a prepared end has it. */
  findConversation(name: ReplyName): Promise<ClosedValue | Conversation | undefined>
  /** The end of a reply before its usage row is written: without that row it is not read. */
  prepareEnd(name: ReplyName, end: ReplyEnd, usageId: string): Promise<void>
  /** An end that was prepared, and whose usage row is there: its process is gone, or about to keep the end itself. */
  findPaidEnd(name: ReplyName): Promise<ReplyEnd | undefined>
  /** The events before the reply: a reader never finds an end whose events are missing. */
  keepEnd(name: ReplyName, end: ReplyEnd): Promise<void>
  remove(name: ReplyName): Promise<void>
  /** The process that runs it lives. */
  renew(name: ReplyName): Promise<void>
  isRunning(name: ReplyName): Promise<boolean>
  askToStop(name: ReplyName, wish: StopWish): Promise<void>
  findStopWish(name: ReplyName): Promise<StopWish | undefined>
  /** Its organization is erased: what is written of it now has to go again. */
  isErased(organizationId: string): Promise<boolean>
  /** Which reply an `Idempotency-Key` came to, by its claim. */
  keepClaimed(claim: ReplyName, replyId: string): Promise<void>
  findClaimed(claim: ReplyName): Promise<string | undefined>
}

export function createReplyShelf({
  values,
  secrets,
  opener,
  keptMs,
  isCharged,
}: {
  values: KeptValues
  secrets: Secrets
  opener: Pick<OpenValues, 'text' | 'split'>
  keptMs: number
  /** Whether there is a usage row with this id. */
  isCharged(usageId: string): Promise<boolean>
}): ReplyShelf {
  const keep: ReplyShelf['keep'] = (name, reply) => write(name, 'reply', serializeReply(reply))
  const keepPart: ReplyShelf['keepPart'] = (name, part, events) => write(name, `events:${part}`, events)
  return {
    find,
    keep,
    findPart: (name, part) => read(name, `events:${part}`),
    keepPart,
    async findConversation(name) {
      const paid = async () => (await findPaidEnd(name))?.conversation
      // Its process may keep the end between the first two looks.
      return (await closed(name, 'conversation')) ?? (await paid()) ?? (await closed(name, 'conversation'))
    },
    async prepareEnd(name, end, usageId) {
      const together: Record<string, string> = { usageId }
      for (const part of PREPARED_PARTS) {
        const text = textOf(part, end)
        if (text === undefined) continue
        if (isLong(part, end)) await write(name, `end:${part}`, text)
        else together[part] = text
      }
      await write(name, 'end', JSON.stringify(together))
    },
    findPaidEnd,
    async keepEnd(name, end) {
      const { reply, events, conversation } = end
      if (conversation !== undefined) await write(name, 'conversation', JSON.stringify(conversation))
      if (events !== '') await keepPart(name, (reply.parts ?? 0) - 1, events)
      await keep(name, reply)
      await values.delete(placeOf(name, 'end'))
      for (const part of PREPARED_PARTS)
        if (isLong(part, end)) await values.delete(placeOf(name, `end:${part}`))
    },
    async remove(name) {
      const parts = (await find(name))?.parts
      await values.delete(placeOf(name, 'reply'))
      await values.delete(placeOf(name, 'conversation'))
      await values.delete(placeOf(name, 'end'))
      for (const part of PREPARED_PARTS) await values.delete(placeOf(name, `end:${part}`))
      for (let part = 0; part < (parts ?? Number.POSITIVE_INFINITY); part += 1) {
        const place = placeOf(name, `events:${part}`)
        // A process that died has not written how many there are.
        if (parts === undefined && (await values.get(place)) === undefined) break
        await values.delete(place)
      }
    },
    // What is small and short-lived takes from no share: there it would be the first to be pushed out.
    renew: (name) => values.set(placeOf(name, 'lease'), 'running', { ttlMs: LEASE_MS }),
    isRunning: async (name) => (await values.get(placeOf(name, 'lease'))) !== undefined,
    askToStop: (name, wish) => values.set(placeOf(name, 'stop'), wish, { ttlMs: keptMs }),
    async findStopWish(name) {
      const wish = await values.get(placeOf(name, 'stop'))
      return wish === 'cancel' || wish === 'delete' ? wish : undefined
    },
    isErased: async (organizationId) => (await values.get(erasedPlaceOf(organizationId))) !== undefined,
    keepClaimed: (claim, replyId) => write(claim, 'claimed', replyId),
    findClaimed: (claim) => read(claim, 'claimed'),
  }

  async function find(name: ReplyName): Promise<KeptReply | undefined> {
    const value = await closed(name, 'reply')
    const split = value && (await opener.split(value, 'response', name.organizationId))
    return split && replyOf(split)
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
    // The oldest values of an organization that has too many are gone.
    if (reply === undefined || events === undefined) return undefined
    return {
      reply: replyOf(splitValue(reply, 'response')),
      events,
      conversation: conversation === undefined ? undefined : JSON.parse(conversation),
    }
  }

  async function read(name: ReplyName, what: string): Promise<string | undefined> {
    const value = await closed(name, what)
    return value && opener.text(value, name.organizationId)
  }

  async function closed(name: ReplyName, what: string): Promise<ClosedValue | undefined> {
    const place = placeOf(name, what)
    const encrypted = await values.get(place)
    return encrypted === undefined ? undefined : { encrypted, place }
  }

  async function write(name: ReplyName, what: string, text: string): Promise<void> {
    const place = placeOf(name, what)
    const share = { name: shareOf(name.organizationId), bytesMax: SHARE_BYTES_MAX }
    const life: ValueLife = { ttlMs: keptMs, share }
    await values.set(place, secrets.encrypt(text, place), life)
  }

  function placeOf({ organizationId, id }: ReplyName, what: string): string {
    return `sluice:{org:${organizationId}}:response:${id}:${what}`
  }
}

function shareOf(organizationId: string): string {
  return `sluice:{org:${organizationId}}:responses`
}

function erasedPlaceOf(organizationId: string): string {
  return `sluice:{org:${organizationId}}:responses:erased`
}

/** Removes all that is kept of an organization's replies. The mark first: what a running reply writes after it goes by itself. */
export async function eraseReplies(organizationId: string, values: KeptValues): Promise<void> {
  await values.set(erasedPlaceOf(organizationId), 'erased', { ttlMs: ERASED_MS })
  await values.deleteShare(shareOf(organizationId))
}

/** The response is put in and taken out as it is: it may be large, and most readers only hand it on. */
function serializeReply({ response, ...state }: KeptReply): string {
  return withMembers(JSON.stringify(state), { response })
}

function replyOf({ member: response, rest }: SplitValue): KeptReply {
  const { isBackground, hasEvents, hasCutEvents, parts }: Omit<KeptReply, 'response'> = Object(rest)
  return { response, isBackground, hasEvents, hasCutEvents, parts }
}

type PreparedPart = (typeof PREPARED_PARTS)[number]

function textOf(part: PreparedPart, { reply, events, conversation }: ReplyEnd): string | undefined {
  if (part === 'reply') return serializeReply(reply)
  if (part === 'events') return events
  return conversation === undefined ? undefined : JSON.stringify(conversation)
}

function isLong(part: PreparedPart, { reply, events, conversation }: ReplyEnd): boolean {
  const lengths = {
    reply: reply.response.length,
    events: events.length,
    conversation: conversation?.items.length ?? 0,
  }
  return lengths[part] > PREPARED_LENGTH_MAX
}
