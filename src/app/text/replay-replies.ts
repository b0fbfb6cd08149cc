import { Refusal } from '../../domain/refusal.ts'
import type { Cache } from '../../ports/cache.ts'
import type { Log } from '../../ports/log.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { AnswerText } from './answer-text.ts'
import { watchCache } from './cache-watch.ts'
import { createOrphans } from './orphans.ts'
import type { ReplySink } from './reply-sink.ts'
import { isHeavy, type TextCommand } from './text-command.ts'

/** Longer than any vendor may take; a process that died with the request frees its key by then. */
const UNDER_WAY_MS = 3_600_000
const KEPT_MS = 24 * 3_600_000
const KEPT_BYTES_MAX = 1024 * 1024

/**
 * What is known of an `Idempotency-Key`; `body` is the digest of what came with it.
 *
 *   under-way -> replied | too-large, for a day; a refusal frees the key
 */
type Known =
  | { state: 'under-way'; body: string }
  | { state: 'too-large'; body: string }
  | { state: 'replied'; body: string; headers: Record<string, string>; reply: string }

type WholeHead = Parameters<ReplySink['begin']>[0]

/**
 * Answers a repeated request with its first reply, which costs nothing. Streams are served as if they had no key. A
 * client with a key that hangs up will be back for its reply: the vendor is heard out, and the reply is kept. Of such
 * orphans an API key has only a few at once; the next one ends with its client, as it would without an Idempotency-Key.
 */
export function replayReplies({
  answer,
  cache,
  secrets,
  log,
}: {
  answer: AnswerText
  cache: Cache
  secrets: Secrets
  log: Log
}): AnswerText {
  const watch = watchCache(log, {
    event: 'the cache is away: replies are not kept for their Idempotency-Key',
  })
  const orphans = createOrphans()

  return (command, sink) => {
    const { idempotencyKey, body } = command
    if (idempotencyKey === undefined || body.value.stream === true) return answer(command, sink)
    return answerOnce(command, sink, placeOf(command, idempotencyKey))
  }

  async function answerOnce(command: TextCommand, sink: ReplySink, place: string): Promise<void> {
    const body = await digestOf(command)
    const began = await watch.attempt(() =>
      cache.setIfAbsent(place, sealed({ state: 'under-way', body }, place), { ttlMs: UNDER_WAY_MS }),
    )
    if (began === undefined) return answer(command, sink)
    if (!began.value) return repeat(await read(place), body, sink)
    const head = await answerInto(command, sink, place)
    if (head === undefined) {
      await watch.attempt(() => cache.delete(place))
      return
    }
    const known = keepable(head, body)
    await watch.attempt(() => cache.set(place, sealed(known, place), { ttlMs: KEPT_MS }))
    sink.begin(head)
  }

  /** A refusal is no reply: the same key may ask again. undefined: it ended with its client. */
  async function answerInto(
    command: TextCommand,
    client: ReplySink,
    place: string,
  ): Promise<WholeHead | undefined> {
    const inner = collectingSink()
    let isOver = false
    let leave = () => {}
    client.onClose(() => {
      const leaveOrphans = isOver ? () => {} : orphans.take(command.caller.keyId)
      if (leaveOrphans === undefined) inner.close()
      else leave = leaveOrphans
    })
    try {
      await answer(command, inner.sink)
    } catch (refusal) {
      await watch.attempt(() => cache.delete(place))
      throw refusal
    } finally {
      isOver = true
      inner.close()
      leave()
    }
    return inner.head
  }

  async function read(place: string): Promise<Known | undefined> {
    const found = await watch.attempt(() => cache.get(place))
    const text = found?.value === undefined ? undefined : secrets.open(found.value, place)
    return text === undefined ? undefined : JSON.parse(text)
  }

  function sealed(known: Known, place: string): string {
    return secrets.seal(JSON.stringify(known), place)
  }

  /** Of this API key alone: nobody meets another's reply. The client's own words are not for the cache to show. */
  function placeOf({ caller }: TextCommand, idempotencyKey: string): string {
    return `sluice:{key:${caller.keyId}}:reply:${secrets.digest(`idempotency-key ${idempotencyKey}`)}`
  }

  /** The other endpoint is another request, whatever its body says. */
  async function digestOf(command: TextCommand): Promise<string> {
    const { endpoint } = command
    const body = isHeavy(command)
      ? await command.body.run('digest', {})
      : command.body.bytes.toString('latin1')
    return secrets.digest(`text body ${endpoint} ${body}`)
  }
}

/** Gone since it was seen: it was refused in this very moment, and the next attempt will be taken. */
function repeat(known: Known | undefined, body: string, sink: ReplySink): void {
  if (known === undefined) throw new Refusal('idempotency_key_in_use')
  if (known.body !== body) throw new Refusal('idempotency_key_reused')
  if (known.state === 'under-way') throw new Refusal('idempotency_key_in_use')
  if (known.state === 'too-large') throw new Refusal('idempotency_key_in_use', { message: TOO_LARGE })
  sink.begin({ status: 200, headers: known.headers, body: known.reply })
}

const TOO_LARGE = 'The reply to this Idempotency-Key was too large to be kept. Take a new key to ask again.'

function keepable({ headers, body }: WholeHead, digest: string): Known {
  if (body === undefined || Buffer.byteLength(body) > KEPT_BYTES_MAX)
    return { state: 'too-large', body: digest }
  const reply = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
  return { state: 'replied', body: digest, headers, reply }
}

/** Takes a whole reply and nothing else. It is never slow, and stays open until it is closed. */
function collectingSink() {
  let onClose = () => {}
  let isClosed = false
  const collected: { head: WholeHead | undefined; sink: ReplySink; close(): void } = {
    head: undefined,
    close() {
      if (isClosed) return
      isClosed = true
      onClose()
    },
    sink: {
      begin(head) {
        collected.head = head
      },
      write: () => true,
      end() {},
      cut() {},
      onDrain() {},
      onClose(listener) {
        if (isClosed) listener()
        else onClose = listener
      },
    },
  }
  return collected
}
