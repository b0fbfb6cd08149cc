import { summaryIn } from '@sluice/dialects/body/reply-jobs'
import type { JsonObject } from '@sluice/dialects/json/json-object'
import { compactionObject } from '@sluice/dialects/responses/compaction/compaction-object'
import { ENCRYPTED_LENGTH_MAX } from '@sluice/dialects/responses/compaction/own-compactions'
import { ApiError } from '../../../domain/api-error.ts'
import type { Runtime } from '../../runtime.ts'
import type { GoodReply, WholeReply } from '../contract/relay.ts'
import type { SummaryRequest } from '../contract/text-body.ts'
import type { TextCommand } from '../contract/text-command.ts'
import type { TextPlan } from '../contract/text-plan.ts'
import type { EncryptedSummaries } from '../vendor-state/encrypted-summaries.ts'
import type { RunReplyJob } from './heavy-reply.ts'

export interface SummaryTools extends Pick<Runtime, 'clock' | 'newId'> {
  summaries: EncryptedSummaries
  runReply: RunReplyJob
}

/** Asks a vendor without compaction for a summary, which is encrypted for the organization. */
export function planSummary(
  command: TextCommand,
  planReply: (request: TextCommand) => TextPlan | Promise<TextPlan>,
  tools: SummaryTools,
): TextPlan | Promise<TextPlan> {
  const { operation: _compact, ...rest } = command
  const planned = ({ body, retained }: SummaryRequest) => {
    const plan = planReply({ ...rest, body })
    return plan instanceof Promise
      ? plan.then((made) => packing(made, command, retained, tools))
      : packing(plan, command, retained, tools)
  }
  const request = command.body.askForSummary()
  return request instanceof Promise ? request.then(planned) : planned(request)
}

/** Plans a reply whose text goes to the client as a compaction. */
function packing(
  plan: TextPlan,
  { caller, body: { value } }: TextCommand,
  messages: readonly JsonObject[],
  { summaries, clock, newId, runReply }: SummaryTools,
): TextPlan {
  const hasBound = typeof value.max_output_tokens === 'number'
  return {
    ...plan,
    openWholeRelay: undefined,
    losses: hasBound ? [...plan.losses, 'max_tokens'] : plan.losses,
    readWhole(body) {
      const reply = plan.readWhole(body)
      return reply instanceof Promise ? reply.then(packLarge) : pack(reply)
    },
  }

  function pack(reply: WholeReply): WholeReply {
    return reply.kind === 'reply' ? packed(reply, summaryIn(Buffer.from(reply.body))) : reply
  }

  async function packLarge(reply: WholeReply): Promise<WholeReply> {
    if (reply.kind !== 'reply') return reply
    const summary = await runReply('summaryIn', Buffer.from(reply.body), {}, caller.organizationId)
    return packed(reply, summary)
  }

  function packed(reply: GoodReply, read: ReturnType<typeof summaryIn>): GoodReply {
    if (typeof read === 'string') return { ...reply, unusable: unusable(read) }
    const encrypted = summaries.encrypt(caller.organizationId, read.summary)
    if (encrypted.length > ENCRYPTED_LENGTH_MAX) return { ...reply, unusable: unusable('long') }
    const createdAtSeconds = Math.floor(clock.nowMs() / 1_000)
    const object = compactionObject({ messages, encrypted, usage: read.usage, createdAtSeconds, newId })
    return { ...reply, body: JSON.stringify(object) }
  }
}

/**
 * A bad summary would replace the whole conversation. The vendor has done its work, and another vendor would get the same
 * conversation, so no other vendor is asked and the reply is charged.
 */
function unusable(why: keyof typeof UNUSABLE): ApiError {
  return new ApiError('summary_not_usable', {
    message: `${UNUSABLE[why]} The reply is charged. Send a shorter conversation, or use another model.`,
  })
}

const UNUSABLE = {
  none: 'The model answered without a summary of the conversation.',
  cut: 'The reply of the model ended before its summary of the conversation was complete.',
  long: 'The model wrote a summary of the conversation that is too long to be encrypted.',
}
