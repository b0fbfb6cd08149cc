import { invalidParameter } from '@sluice/dialects/canonical/bad-parameter'
import { isJsonObject } from '@sluice/dialects/json/json-object'
import { LIGHT_BYTES_MAX, LIGHT_VALUES_MAX, parseWithin } from '@sluice/dialects/json/parse-json'
import type { RequestError } from '@sluice/dialects/request-error'
import type { Conversation } from '@sluice/dialects/responses/kept/conversation'
import type { Caller } from '../../../domain/access/api-key.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { splitModelName } from '../../../domain/catalog/model.ts'
import type { BodyTurns } from '../../../ports/body-turns.ts'
import type { PriceBook } from '../../catalog/price-book.ts'
import { COSTLY_BYTES, turnFor } from '../../waiting/body-turns.ts'
import { lengthOf, type OpenValues } from '../cache/open-values.ts'
import type { ReadHeavyBody } from '../contract/heavy-body.ts'
import { LightBody } from '../contract/light-body.ts'
import type { PriorConversation } from '../contract/reply-session.ts'
import type { ReplySink } from '../contract/reply-sink.ts'
import type { TextCommand } from '../contract/text-command.ts'
import type { CheckFunds } from './check-funds.ts'
import { isReplyId, type ReplyStore } from './reply-store.ts'

/** A request with the whole conversation in its input. `prior` is the conversation before the new reply. */
export interface ContinuedCommand {
  command: TextCommand
  prior: PriorConversation
}

/** Whether the replies of the caller's organization are kept unless a request says otherwise. */
export type KeepsByDefault = (caller: Pick<Caller, 'keepReplies'>) => boolean

/** Rejects with an `ApiError` when the reply is not kept. */
export type ContinueReply = (
  command: TextCommand,
  previousId: string,
  sink: ReplySink,
) => Promise<ContinuedCommand>

export interface ContinueParts {
  replies: Pick<ReplyStore, 'findConversation'>
  values: Pick<OpenValues, 'join'>
  turns: Pick<BodyTurns, 'take'>
  readHeavyBody: ReadHeavyBody
  checkFunds: CheckFunds
  keepsByDefault: KeepsByDefault
  prices: Pick<PriceBook, 'nameOf'>
}

/**
 * A request of a hundred bytes may continue a conversation of megabytes. A long conversation is therefore decrypted only
 * if the organization can pay, and on another thread. The work of the main thread waits for its turn.
 */
export function continueReply(input: ContinueParts): ContinueReply {
  const { replies, values, turns, readHeavyBody, checkFunds, keepsByDefault, prices } = input
  return async (command, previousId, sink) => {
    const { bytes: sent } = command.body
    if (sent === undefined) throw tooLargeToGoOn()
    const { organizationId } = command.caller
    const before =
      (await remembered(command, previousId)) ??
      (isReplyId(previousId) ? await replies.findConversation({ organizationId, id: previousId }) : undefined)
    if (before === undefined) throw notKept(keepsByDefault(command.caller))
    if (lengthOf(before) > COSTLY_BYTES) await checkFunds(command)
    const closing = new AbortController()
    sink.onClose(() => closing.abort())
    const turn = { holder: organizationId, signal: closing.signal }
    const provider = providerOf(command, prices)
    const continuing = { request: sent.toString(), provider }
    const joined = await values.join(before, continuing, turn)
    if (joined === undefined) throw notKept(keepsByDefault(command.caller))
    const { bytes, length, items } = joined
    const body = await bodyOf(bytes, command, turn)
    const prior = { provider, length, items }
    return { command: { ...command, body }, prior }
  }

  /** Returns the conversation that the connection remembers, if its last reply has this id. */
  async function remembered(input: TextCommand, previousId: string): Promise<Conversation | undefined> {
    const { session, caller } = input
    if (session === undefined) return undefined
    await turnFor(turns, caller.organizationId, session.length)
    return session.take(previousId)
  }

  async function bodyOf(
    bytes: Buffer,
    { endpoint, operation }: TextCommand,
    { holder, signal }: { holder: string; signal: AbortSignal },
  ): Promise<TextCommand['body']> {
    if (bytes.length <= LIGHT_BYTES_MAX) {
      await turnFor(turns, holder, bytes.length)
      const parsed = parseWithin(bytes, { nul: 'pass', valuesMax: LIGHT_VALUES_MAX })
      if (parsed !== undefined)
        return new LightBody(endpoint, bytes, isJsonObject(parsed.value) ? parsed.value : {})
    }
    const shape = { endpoint, operation: operation ?? 'create' } as const
    return readHeavyBody({ bytes, organizationId: holder, closed: signal }, shape)
  }
}

/** Provider of the requested model, which an alias may name. */
export function providerOf({ body, caller }: TextCommand, prices: Pick<PriceBook, 'nameOf'>): string {
  return splitModelName(prices.nameOf(String(body.value.model), caller.organizationId)).provider
}

function tooLargeToGoOn(): RequestError {
  return invalidParameter(PREVIOUS, 'cannot be used with so large a body: send the whole conversation')
}

/** Clients of OpenAI expect every reply to be kept. After this error, coding agents send the whole conversation. */
function notKept(isByDefault: boolean): ApiError {
  const which = isByDefault
    ? 'A response is kept for a limited time, unless its request says store: false'
    : 'A response is kept for a limited time if its request says store: true, or if the operator sets REPLIES_KEPT_BY_DEFAULT or keeps replies for your organization (org update --keep-replies default)'
  return new ApiError('previous_response_not_found', {
    param: PREVIOUS,
    message: `${PREVIOUS} names no response that can be continued. ${which}. A response to a body over 256 KB cannot be continued. Send the whole conversation in input instead.`,
  })
}

const PREVIOUS = 'previous_response_id'
