import type { LossName } from '../hub/losses.ts'
import type { Part, ReasoningPart, ToolCallPart } from '../hub/text-request.ts'
import type { Conversation } from './conversation.ts'
import { openSeal } from './seal-reasoning.ts'
import type { TurnsContext } from './turns-context.ts'

/**
 * One message of the assistant: its words, its refusal, its calls. Its reasoning has no place on this wire, but for
 * vendors that want it back.
 */
export function writeAssistant(
  parts: readonly Part[],
  conversation: Conversation,
  { naming, losses, replaysTo }: TurnsContext,
): void {
  const texts: string[] = []
  const refusals: string[] = []
  const calls: ToolCallPart[] = []
  const thoughts: string[] = []
  for (const part of parts) {
    switch (part.kind) {
      case 'text':
        if (part.text !== '') texts.push(part.text)
        break
      case 'refusal':
        refusals.push(part.text)
        break
      case 'tool-call':
        calls.push(part)
        break
      case 'reasoning':
        if (replaysTo === undefined) losses.add('reasoning_replay')
        else thoughts.push(...readThought(part, replaysTo, losses))
        break
      default:
        losses.add('unknown_block')
    }
  }
  if (texts.length + refusals.length + calls.length === 0) {
    if (thoughts.length > 0) losses.add('reasoning_replay')
    return
  }
  const message = {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join('\n\n'),
    reasoning_content: replaysTo !== undefined ? writeThoughts(thoughts, calls.length > 0) : undefined,
    refusal: refusals.length === 0 ? undefined : refusals.join('\n\n'),
    tool_calls:
      calls.length === 0
        ? undefined
        : calls.map((call) => ({
            id: call.callId,
            type: 'function',
            function: { name: naming.nameOf(call, call.input.kind), arguments: argumentsOf(call) },
          })),
  }
  conversation.say(message, { callIds: calls.map(({ callId }) => callId) })
}

/** As the client was shown it, or out of the seal where it was not. */
function readThought({ text, seal }: ReasoningPart, provider: string, losses: Set<LossName>): string[] {
  const isOwn = seal?.provider === provider
  if (seal !== undefined && !isOwn) losses.add('foreign_seal')
  const thought = text === '' && isOwn ? openSeal(seal.proof) : text
  if (thought === '') losses.add('reasoning_replay')
  return thought === '' ? [] : [thought]
}

/** With a call it must be there, and must not be empty, also where another model made the call and thought nothing. */
function writeThoughts(thoughts: readonly string[], hasCalls: boolean): string | undefined {
  if (thoughts.length > 0) return thoughts.join('\n\n')
  return hasCalls ? ' ' : undefined
}

function argumentsOf({ input }: ToolCallPart): string {
  if (input.kind === 'text') return JSON.stringify({ input: input.text })
  return input.text === '' ? '{}' : input.text
}
