import { createGuard } from '../../llm/hub/guard.ts'
import type { ReplyEvent } from '../../llm/hub/reply-event.ts'
import type { ReplyFailure } from '../../llm/hub/reply-failure.ts'
import { cutAtSequence } from '../../llm/hub/stop-at-sequence.ts'
import type { WriteReply } from '../../llm/hub/wire.ts'
import { countedTokens } from './counted-tokens.ts'
import type { WholeReply } from './relay.ts'

/** A whole reply from its events, held to the same grammar as a stream and cut at the same sequences. */
export function foldReply(
  read: readonly ReplyEvent[],
  { stopSequences, countInput }: { stopSequences: readonly string[]; countInput(): number },
  write: (events: readonly ReplyEvent[]) => ReturnType<WriteReply>,
): WholeReply {
  const guarded: ReplyEvent[] = []
  const guard = createGuard((event) => guarded.push(event))
  for (const event of read) guard(event)
  const events = stopSequences.length === 0 ? guarded : cutAtSequence(guarded, stopSequences)
  const last = events.at(-1)
  if (last?.kind !== 'reply-end')
    return { kind: 'failed', failure: last?.kind === 'reply-failed' ? last.failure : UNREADABLE }
  let outputBytes = 0
  for (const event of events) if (event.kind === 'block-delta') outputBytes += Buffer.byteLength(event.text)
  const tokens = countedTokens(last.tokens, { countInput, outputBytes })
  const { body, losses } = write(events.with(-1, { ...last, tokens }))
  return { kind: 'reply', body: JSON.stringify(body), tokens, outputBytes, losses }
}

const UNREADABLE: ReplyFailure = { kind: 'broken', message: 'The provider sent something that is no reply.' }
