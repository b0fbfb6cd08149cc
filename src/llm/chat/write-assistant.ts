import type { Part, ToolCallPart } from '../hub/text-request.ts'
import type { Conversation } from './conversation.ts'
import type { TurnsContext } from './turns-context.ts'

/**
 * One message of the assistant: its words, its refusal, its calls. Its reasoning has no place on this wire, but for
 * vendors that want it back.
 */
export function writeAssistant(
  parts: readonly Part[],
  conversation: Conversation,
  { naming, losses, replaysReasoning }: TurnsContext,
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
        if (!replaysReasoning || part.text === '') losses.add('reasoning_replay')
        else {
          thoughts.push(part.text)
          if (part.seal !== undefined) losses.add('foreign_seal')
        }
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
    reasoning_content: replaysReasoning ? writeThoughts(thoughts, calls.length > 0) : undefined,
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

/** With a call it must be there, and must not be empty, also where another model made the call and thought nothing. */
function writeThoughts(thoughts: readonly string[], hasCalls: boolean): string | undefined {
  if (thoughts.length > 0) return thoughts.join('\n\n')
  return hasCalls ? ' ' : undefined
}

function argumentsOf({ input }: ToolCallPart): string {
  if (input.kind === 'text') return JSON.stringify({ input: input.text })
  return input.text === '' ? '{}' : input.text
}
