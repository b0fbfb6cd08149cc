import { objectIn } from '@sluice/dialects/body/kept-jobs'
import type { Keeping } from '@sluice/dialects/contract/dialect'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import { itemsOf } from '@sluice/dialects/responses/kept/conversation'
import { queuedResponse } from '@sluice/dialects/responses/kept/keeping'
import { ApiError } from '../../../domain/api-error.ts'
import type { BodyTurns } from '../../../ports/body-turns.ts'
import type { PriceBook } from '../../catalog/price-book.ts'
import { withDeadline } from '../../jobs/deadline.ts'
import type { Runtime } from '../../runtime.ts'
import { turnFor } from '../../waiting/body-turns.ts'
import type { CacheOutageLog } from '../cache/log-cache-outage.ts'
import { KEPT_LENGTH_MAX, type PriorConversation } from '../contract/reply-session.ts'
import type { ReplySink } from '../contract/reply-sink.ts'
import type { AnswerText, TextCommand } from '../contract/text-command.ts'
import { wantedOf } from '../replay/replay-replies.ts'
import type { HeldClaim, RequestClaims } from '../replay/request-claims.ts'
import { type ContinueReply, type KeepsByDefault, providerOf } from './continue-reply.ts'
import type { ReadOn } from './read-replies.ts'
import { Recording } from './recording.ts'
import { recordedSink, recordingSink } from './recording-sink.ts'
import type { ReplyStore } from './reply-store.ts'
import type { RunningReplies } from './running-replies.ts'

/** Maximum wait for the final event of a stream until the reply is charged and kept: the store may be unreachable. */
const KEPT_WAIT_MS = 2_000

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' }

interface KeepingParts extends Pick<Runtime, 'clock' | 'newId' | 'secrets'> {
  answer: AnswerText
  replies: ReplyStore
  running: RunningReplies
  watch: CacheOutageLog
  readOn: ReadOn
  claims: RequestClaims
  continueReply: ContinueReply
  keepsByDefault: KeepsByDefault
  turns: Pick<BodyTurns, 'take'>
  prices: Pick<PriceBook, 'nameOf'>
}

interface KeptCommand {
  command: TextCommand
  keeping: Keeping
  prior: PriorConversation | undefined
}

/** Keeps replies for later reads, continues kept conversations, and runs background replies. */
export function keepReplies(parts: KeepingParts): AnswerText {
  const { answer, replies, running, readOn, claims, continueReply, keepsByDefault } = parts
  const { turns, prices, secrets, clock, newId } = parts

  return (command, sink) => {
    const keeping = CLIENT_DIALECTS[command.endpoint].keepingOf?.(
      command.body.value,
      keepsByDefault(command.caller),
    )
    if (command.operation !== undefined) return answerCompact(command, sink, keeping?.previousId)
    if (keeping !== undefined) return answerKept(command, sink, keeping)
    command.session?.begin(priorConversationIn(command, prices))
    return answer(command, sink)
  }

  /** A compacted conversation is not kept, because its client sends it back. */
  async function answerCompact(original: TextCommand, sink: ReplySink, previousId?: string): Promise<void> {
    const { command } =
      previousId === undefined ? { command: original } : await continueReply(original, previousId, sink)
    return answer(command, sink)
  }

  async function answerKept(command: TextCommand, sink: ReplySink, keeping: Keeping): Promise<void> {
    const { previousId } = keeping
    const kept =
      previousId === undefined
        ? { command, keeping, prior: priorConversationIn(command, prices) }
        : { keeping, ...(await continueReply(command, previousId, sink)) }
    command.session?.begin(kept.prior)
    // A warm-up ends immediately and never calls `accepted`, for which a background reply waits.
    const runsAlone = keeping.isBackground && command.isWarmUp !== true
    return runsAlone ? answerInBackground(kept, sink) : answerRecorded(kept, sink)
  }

  function recordingOf({ command, keeping, prior }: KeptCommand, first?: string): Recording {
    return new Recording({
      ...parts,
      keeping,
      organizationId: command.caller.organizationId,
      provider: providerOf(command, prices),
      prior: prior === undefined || prior.length > KEPT_LENGTH_MAX ? undefined : prior,
      first,
    })
  }

  /** Sends the final event once the reply is kept, or after a timeout: the client's next request may continue it. */
  async function answerRecorded(kept: KeptCommand, sink: ReplySink): Promise<void> {
    const recording = recordingOf(kept)
    const { organizationId } = kept.command.caller
    const recorded = recordedSink(recording, sink, (length) => turnFor(turns, organizationId, length))
    try {
      await answer(kept.command, recorded.sink)
    } catch (fault) {
      await recording.fail(fault)
      if (recorded.hasEnded) await recorded.handOver()
      throw fault
    }
    // The client has left. This cancels only a reply without an end; one that was read to its end is kept whole.
    if (!recorded.hasEnded) return recording.close('cancelled')
    await withDeadline(recording.finish(), { ms: KEPT_WAIT_MS })
    await recorded.handOver()
  }

  /** A repeated request with the same `Idempotency-Key` gets the same reply. */
  async function answerInBackground(kept: KeptCommand, sink: ReplySink): Promise<void> {
    const { command } = kept
    const { idempotencyKey: key } = command
    if (key === undefined) return begin(kept, sink, undefined)
    const { organizationId } = command.caller
    const claimed = await claims.claim(await wantedOf(command, key, secrets))
    if (claimed.kind === 'claimed') return begin(kept, sink, claimed.claim)
    if (claimed.kind === 'other-body') throw new ApiError('idempotency_key_reused')
    const id = await replies.findClaimed({ organizationId, id: claimed.id })
    if (id !== undefined) return show(kept, sink, id)
    throw new ApiError(claimed.kind === 'finished' ? 'idempotency_reply_gone' : 'idempotency_key_in_use')
  }

  /** Answers when the request is accepted and its reply is in the store. The reply then runs without its client. */
  async function begin(kept: KeptCommand, sink: ReplySink, claim: HeldClaim | undefined): Promise<void> {
    const { organizationId } = kept.command.caller
    const freeSlot = running.takeSlot(organizationId)
    if (freeSlot === undefined) {
      await claim?.free()
      throw tooManyInBackground()
    }
    const id = newId('resp')
    const { previousId } = kept.keeping
    const createdAtSeconds = Math.floor(clock.nowMs() / 1_000)
    const queued = queuedResponse(kept.command.body.value, { id, previousId, createdAtSeconds })
    const first = JSON.stringify(queued)
    const recording = recordingOf(kept, first)
    const accepted = Promise.withResolvers<void>()
    const keepFirst = async () => {
      await recording.begin()
      if (claim !== undefined) await replies.keepClaimed({ organizationId, id: claim.id }, id)
    }
    run(kept.command, recording, { claim, keepFirst, accepted }).then(freeSlot, freeSlot)
    await accepted.promise
    if (kept.command.body.value.stream === true)
      return readOn({ name: { organizationId, id }, after: -1, begun: first }, sink)
    // The store is not read here. If the read failed, the client would pay for a reply without knowing its id.
    sink.begin({ status: 200, headers: JSON_HEADERS, body: first })
  }

  /** A reply that cannot be kept is refused before its vendor is called, because no client could read it. */
  async function run(
    command: TextCommand,
    recording: Recording,
    {
      claim,
      keepFirst,
      accepted,
    }: { claim: HeldClaim | undefined; keepFirst(): Promise<void>; accepted: PromiseWithResolvers<void> },
  ): Promise<void> {
    let isAccepted = false
    try {
      const recorded = recordingSink(recording)
      await answer(asStream({ ...command, claim }), {
        ...recorded,
        afterClose: recorded,
        restIsUseless: () => recording.isTooLarge,
        onClose: (listener) => recording.onStop(listener),
        async accepted() {
          await keepFirst().catch((cause: unknown) => {
            void recording.drop()
            throw new ApiError('store_unavailable', { cause })
          })
          isAccepted = true
          accepted.resolve()
        },
      })
      await recording.close()
    } catch (fault) {
      if (isAccepted) await recording.fail(fault)
      else accepted.reject(fault)
    } finally {
      await recording.finish()
      await claim?.free()
    }
  }

  async function show({ command }: KeptCommand, sink: ReplySink, id: string): Promise<void> {
    const name = { organizationId: command.caller.organizationId, id }
    if (command.body.value.stream === true) return readOn({ name, after: -1 }, sink)
    const found = await replies.find(name)
    if (found === undefined) throw new ApiError('idempotency_reply_gone')
    sink.begin({ status: 200, headers: JSON_HEADERS, body: found.response })
  }
}

/** Keeps the bytes of the request, which are parsed only if the next request continues the conversation. */
function priorConversationIn(
  command: TextCommand,
  prices: Pick<PriceBook, 'nameOf'>,
): PriorConversation | undefined {
  const { bytes } = command.body
  if (bytes === undefined) return undefined
  const items = () => itemsOf(objectIn(bytes.toString()).input)
  return { provider: providerOf(command, prices), length: bytes.length, items }
}

/** Asks the vendor for a stream, so that a part of the reply can be read while it runs. */
function asStream(command: TextCommand): TextCommand {
  const body = command.body.withChanges({ stream: true, background: undefined })
  return { ...command, idempotencyKey: undefined, body }
}

function tooManyInBackground(): ApiError {
  return new ApiError('rate_limit_exceeded', {
    message: 'Your organization runs the maximum number of background responses. Wait until one has ended.',
  })
}
