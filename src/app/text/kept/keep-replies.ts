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
import { type ReplayReplies, wantedOf } from '../replay/replay-replies.ts'
import type { HeldClaim, RequestClaims } from '../replay/request-claims.ts'
import { type ContinueReply, type KeepsByDefault, providerOf } from './continue-reply.ts'
import type { ReadOn } from './read-replies.ts'
import { Recording } from './recording.ts'
import { recordedSink, recordingSink } from './recording-sink.ts'
import type { ReplyName, ReplyStore } from './reply-store.ts'
import type { RunningReplies } from './running-replies.ts'

/** Maximum time that the final event of a stream waits until the reply is charged and kept: the store may be unreachable. */
const KEPT_WAIT_MS = 2_000

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' }

interface KeepingParts extends Pick<Runtime, 'clock' | 'newId' | 'secrets'> {
  answer: AnswerText
  replay: ReplayReplies
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

interface KeepingCommand {
  command: TextCommand
  keeping: Keeping
}

type KeptCommand = KeepingCommand & { prior: PriorConversation | undefined }

/** Keeps replies for later reads, continues kept conversations, and runs background replies. */
export function keepReplies(parts: KeepingParts): AnswerText {
  const { answer, replay, replies, running, readOn, claims, continueReply, keepsByDefault } = parts
  const { turns, prices, secrets, clock, newId } = parts

  const answerUnkept = replay((command: TextCommand, sink) => {
    if (command.operation === undefined) command.session?.begin(priorConversationIn(command, prices))
    return answer(command, sink)
  })

  return (command, sink) => {
    const keeping = CLIENT_DIALECTS[command.endpoint].keepingOf?.(
      command.body.value,
      keepsByDefault(command.caller),
    )
    // A warm-up ends immediately and never calls `accepted`, for which a background reply waits.
    const runsAlone = command.operation === undefined && command.isWarmUp !== true
    if (keeping?.isBackground && runsAlone) return answerInBackground({ command, keeping }, sink)
    if (keeping === undefined) return answerUnkept(command, sink)
    // An `Idempotency-Key` belongs to the sent bytes, because the conversation before them may change or be deleted.
    return replay((claimed: TextCommand, inner) => answerForeground({ command: claimed, keeping }, inner))(
      command,
      sink,
    )
  }

  async function answerForeground(asked: KeepingCommand, sink: ReplySink): Promise<void> {
    const kept = await continued(asked, sink)
    // A compacted conversation is not kept, because its client sends it back.
    if (asked.command.operation !== undefined) return answer(kept.command, sink)
    asked.command.session?.begin(kept.prior)
    return answerRecorded(kept, sink)
  }

  async function continued({ command, keeping }: KeepingCommand, sink: ReplySink): Promise<KeptCommand> {
    const { previousId } = keeping
    return previousId === undefined
      ? { command, keeping, prior: priorConversationIn(command, prices) }
      : { keeping, ...(await continueReply(command, previousId, sink)) }
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

  /** Sends the final event once the reply is kept, or after a timeout, because the next request may continue the reply. */
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
    // The client has left. `close` cancels only a reply without an end. A reply that was read to its end is kept whole.
    if (!recorded.hasEnded) return recording.close('cancelled')
    await withDeadline(recording.finish(), { ms: KEPT_WAIT_MS })
    await recorded.handOver()
  }

  /** A repeated request with the same `Idempotency-Key` gets the same reply. */
  async function answerInBackground(asked: KeepingCommand, sink: ReplySink): Promise<void> {
    const { command } = asked
    const { idempotencyKey: key } = command
    const { organizationId } = command.caller
    if (key === undefined) return begin(asked, sink, undefined)
    const claimed = await claims.claim(await wantedOf(command, key, secrets))
    if (claimed.kind === 'claimed') return begin(asked, sink, claimed.claim)
    if (claimed.kind === 'other-body') throw new ApiError('idempotency_key_reused')
    const id = await replies.findClaimed({ organizationId, id: claimed.id })
    if (id !== undefined) return show(command, sink, { organizationId, id })
    throw new ApiError(claimed.kind === 'finished' ? 'idempotency_reply_gone' : 'idempotency_key_in_use')
  }

  /** Answers when the request is accepted and its reply is in the store. The reply then runs without its client. */
  async function begin(asked: KeepingCommand, sink: ReplySink, claim: HeldClaim | undefined): Promise<void> {
    const { organizationId } = asked.command.caller
    const { previousId } = asked.keeping
    const refuse = async (fault: unknown): Promise<never> => {
      await claim?.free()
      throw fault
    }
    const kept = await continued(asked, sink).catch(refuse)
    const { command } = kept
    const freeSlot = running.takeSlot(organizationId)
    if (freeSlot === undefined) return refuse(tooManyInBackground())
    const id = newId('resp')
    const createdAtSeconds = Math.floor(clock.nowMs() / 1_000)
    const first = JSON.stringify(queuedResponse(command.body.value, { id, previousId, createdAtSeconds }))
    const recording = recordingOf(kept, first)
    const accepted = Promise.withResolvers<void>()
    const keepFirst = async () => {
      await recording.begin()
      if (claim !== undefined) await replies.keepClaimed({ organizationId, id: claim.id }, id)
    }
    run(command, recording, { claim, keepFirst, accepted }).then(freeSlot, freeSlot)
    await accepted.promise
    if (command.body.value.stream === true)
      return readOn({ name: { organizationId, id }, after: -1, begun: first }, sink)
    // The store is not read here. If the read failed, the client would pay for a reply without knowing its id.
    sink.begin({ status: 200, headers: JSON_HEADERS, body: first })
  }

  /** A reply that cannot be kept is refused before its vendor is called, because no client could read it. */
  async function run(
    command: TextCommand,
    recording: Recording,
    input: { claim: HeldClaim | undefined; keepFirst(): Promise<void>; accepted: PromiseWithResolvers<void> },
  ): Promise<void> {
    const { claim, keepFirst, accepted } = input
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

  async function show(command: TextCommand, sink: ReplySink, name: ReplyName): Promise<void> {
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
