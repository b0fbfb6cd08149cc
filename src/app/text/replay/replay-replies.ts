import { ApiError } from '../../../domain/api-error.ts'
import type { BodyTurns } from '../../../ports/body-turns.ts'
import type { Secrets } from '../../../ports/secrets.ts'
import { createOwnerSlots } from '../../limits/owner-slots.ts'
import type { Runtime } from '../../runtime.ts'
import { turnFor } from '../../waiting/body-turns.ts'
import { logCacheOutageOnce } from '../cache/log-cache-outage.ts'
import type { OpenValues } from '../cache/open-values.ts'
import type { ReplySink } from '../contract/reply-sink.ts'
import type { EmbeddingsCommand, TextCommand } from '../contract/text-command.ts'
import type { HeldClaim, RequestClaims, Wanted } from './request-claims.ts'

const KEPT_MS = 24 * 3_600_000
const KEPT_BYTES_MAX = 1024 * 1024
const SHARE_BYTES_MAX = 16 * 1024 * 1024
/** Maximum detached requests of an API key. With more, one key could hold every slot of a provider. */
const DETACHED_PER_KEY_MAX = 8

/** A repeated request waits up to 1 s while the reply or its usage row is missing. Most are written in 20 ms. */
const ROW_LOOKS_MAX = 20
const ROW_LOOK_MS = 50

type WholeHead = Parameters<ReplySink['begin']>[0]

interface ReplayableReply {
  headers: Record<string, string>
  reply: string
}

type AnyCommand = TextCommand | EmbeddingsCommand
type KeyedCommand = AnyCommand & { idempotencyKey: string }
type AnswerCommand<Command> = (command: Command, sink: ReplySink) => Promise<void>

/**
 * Wraps a function that answers requests, so that it also answers repeated requests. All wrapped functions share the
 * slots for detached requests: an API key has `DETACHED_PER_KEY_MAX` slots over all endpoints.
 */
export type ReplayReplies = <Command extends AnyCommand>(
  answer: AnswerCommand<Command>,
) => AnswerCommand<Command>

/**
 * Answers a repeated request with its first reply, free of charge. The claim in the store prevents a second charge. The
 * cache only keeps the reply, and a lost reply is an error. Streams ignore the Idempotency-Key. A client that sent a
 * key and hangs up is expected to retry, so the vendor's reply is read to its end and kept. An API key has only a few such
 * detached requests at a time. The next one ends with its client, like a request without an Idempotency-Key.
 */
export function replayReplies(
  tools: Pick<Runtime, 'cache' | 'log' | 'pause' | 'secrets'> & {
    claims: RequestClaims
    opener: Pick<OpenValues, 'split'>
    turns: BodyTurns
  },
): ReplayReplies {
  const { claims, cache, secrets, opener, log, turns, pause } = tools
  const watch = logCacheOutageOnce(log, { event: 'cache.replies_not_kept' })
  const detached = createOwnerSlots({ perOwnerMax: DETACHED_PER_KEY_MAX })

  return (answer) => (command, sink) => {
    const wantsStream = command.endpoint !== 'embeddings' && command.body.value.stream === true
    if (!isKeyed(command) || wantsStream) return answer(command, sink)
    return answerOnce(command, sink, answer)
  }

  async function answerOnce<Command extends KeyedCommand>(
    command: Command,
    sink: ReplySink,
    answer: AnswerCommand<Command>,
  ): Promise<void> {
    const wanted = await wantedOf(command, command.idempotencyKey, secrets)
    for (let looks = 1; ; looks += 1) {
      const claimed = await claims.claim(wanted)
      if (claimed.kind === 'claimed') return answerFirst(command, sink, { answer, claim: claimed.claim })
      if (claimed.kind === 'other-body') throw new ApiError('idempotency_key_reused')
      const kept = await read(cacheKeyOf(command, claimed.id), command.caller.organizationId)
      // A reply is returned only after its usage row: it would be free if the process died before it wrote the row.
      if (kept !== undefined && claimed.kind !== 'running')
        return sink.begin({ status: 200, headers: kept.headers, body: kept.reply })
      const isGone = kept === undefined && claimed.kind === 'finished'
      if ((kept === undefined && !isGone) || looks === ROW_LOOKS_MAX)
        throw new ApiError(isGone ? 'idempotency_reply_gone' : 'idempotency_key_in_use')
      await pause(ROW_LOOK_MS)
    }
  }

  /** After an error the key may be used again. After a charge the usage row ends the claim. */
  async function answerFirst<Command extends KeyedCommand>(
    command: Command,
    client: ReplySink,
    { answer, claim }: { answer: AnswerCommand<Command>; claim: HeldClaim },
  ): Promise<void> {
    let keeping: Promise<void> | undefined
    const inner = collectingSink(client, (head) => {
      // Keeping begins before the usage row is written. If a finished claim stays without a reply, the reply is lost.
      keeping ??= keep(head, cacheKeyOf(command, claim.id), command)
    })
    let isOver = false
    let leave = () => {}
    client.onClose(() => {
      if (isOver) return
      // A reply that is passed on in pieces is not kept, so a retry could not use it.
      const releaseDetached = inner.isPassedOn ? undefined : detached.take(command.caller.keyId)
      inner.clientHasLeft = true
      if (releaseDetached === undefined) inner.close()
      else leave = releaseDetached
    })
    try {
      // The store may answer many claims at the same time; turns keep their requests from blocking the thread.
      await turnFor(turns, command.caller.organizationId, command.body.bytes?.length ?? 0)
      await answer({ ...command, claim }, inner.sink)
    } finally {
      isOver = true
      inner.close()
      leave()
      await claim.free()
    }
    await keeping
    if (inner.head !== undefined) client.begin(inner.head)
  }

  async function keep(
    { headers, body }: WholeHead,
    cacheKey: string,
    { caller: { organizationId } }: AnyCommand,
  ): Promise<void> {
    const bytes = body === undefined ? Number.POSITIVE_INFINITY : Buffer.byteLength(body)
    if (body === undefined || bytes > KEPT_BYTES_MAX) return
    // Vendors may answer many requests at the same time, and a megabyte takes 10 ms to encrypt.
    await turnFor(turns, organizationId, bytes)
    const reply = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
    const kept: ReplayableReply = { headers, reply }
    const encrypted = secrets.encrypt(JSON.stringify(kept), cacheKey)
    const share = { name: replayShareOf(organizationId), bytesMax: SHARE_BYTES_MAX }
    await watch.attempt(() => cache.set(cacheKey, encrypted, { ttlMs: KEPT_MS, share }))
  }

  async function read(cacheKey: string, organizationId: string): Promise<ReplayableReply | undefined> {
    const found = await watch.attempt(() => cache.get(cacheKey))
    if (found?.value === undefined) return undefined
    const split = await opener.split({ encrypted: found.value, boundTo: cacheKey }, 'reply', organizationId)
    return split && { headers: Object(split.rest.headers), reply: split.member }
  }

  /** A cache key belongs to one claim, and so to one API key. No request finds the reply to another request. */
  function cacheKeyOf({ caller }: AnyCommand, claimId: string): string {
    return `sluice:{org:${caller.organizationId}}:reply:${claimId}`
  }
}

export function replayShareOf(organizationId: string): string {
  return `sluice:{org:${organizationId}}:replies`
}

function isKeyed(command: AnyCommand): command is KeyedCommand {
  return command.idempotencyKey !== undefined
}

/** Computes the digests that an `Idempotency-Key` claims, under each of the deployment's secrets. */
export async function wantedOf(
  command: AnyCommand,
  idempotencyKey: string,
  secrets: Secrets,
): Promise<Wanted> {
  const { keyId } = command.caller
  const key = `idempotency-key ${idempotencyKey}`
  const body = await bodyOf(command)
  const [keyDigest, bodyDigest] = [secrets.digest(key), secrets.digest(body)]
  const keys = secrets.digests(key)
  if (keys.length === 1) return { keyId, keyDigest, bodyDigest }
  const bodies = secrets.digests(body)
  const others = keys.map((digest, at) => ({ keyDigest: digest, bodyDigest: bodies[at] ?? '' }))
  return { keyId, keyDigest, bodyDigest, others: others.filter((other) => other.keyDigest !== keyDigest) }
}

/** A request to another endpoint is another request, even with an equal body. */
async function bodyOf(command: AnyCommand): Promise<string> {
  const { body } = command
  const operation = command.endpoint === 'embeddings' ? undefined : command.operation
  const endpoint = operation === undefined ? command.endpoint : `${command.endpoint} ${operation}`
  return `text body ${endpoint} ${await body.fingerprint()}`
}

interface Collected {
  head: WholeHead | undefined
  isPassedOn: boolean
  clientHasLeft: boolean
  sink: ReplySink
  close(): void
}

/**
 * Collects a whole reply. The sink stays open until `close()`, even when the client has left. A reply that is relayed
 * is not kept: its pieces go to the client at the client's speed, and are dropped after the client has left.
 */
function collectingSink(client: ReplySink, onHead: (head: WholeHead) => void): Collected {
  let onClose = () => {}
  let isClosed = false
  const collected: Collected = {
    head: undefined,
    isPassedOn: false,
    clientHasLeft: false,
    close() {
      if (isClosed) return
      isClosed = true
      onClose()
    },
    sink: {
      willBegin: onHead,
      begin(head) {
        collected.isPassedOn = head.body === undefined
        if (collected.isPassedOn) return client.begin(head)
        collected.head = head
        onHead(head)
      },
      write: (bytes) => collected.clientHasLeft || client.write(bytes),
      end: () => client.end(),
      cut: () => client.cut(),
      onDrain: (listener) => client.onDrain(listener),
      settled: (usage) => client.settled?.(usage),
      recorded: () => client.recorded?.(),
      onClose(listener) {
        if (isClosed) listener()
        else onClose = listener
      },
    },
  }
  return collected
}
