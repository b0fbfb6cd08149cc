import type { Part, ToolCallPart } from '../hub/text-request.ts'
import type { Conversation } from './conversation.ts'
import type { TurnsContext } from './turns-context.ts'

/** One message of the assistant: its words, its refusal, its calls. Its reasoning has no place on this wire. */
export function writeAssistant(
  parts: readonly Part[],
  conversation: Conversation,
  { naming, losses }: TurnsContext,
): void {
  const texts: string[] = []
  const refusals: string[] = []
  const calls: ToolCallPart[] = []
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
      default:
        losses.add(part.kind === 'reasoning' ? 'reasoning_replay' : 'unknown_block')
    }
  }
  if (texts.length + refusals.length + calls.length === 0) return
  const message = {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join('\n\n'),
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

function argumentsOf({ input }: ToolCallPart): string {
  if (input.kind === 'text') return JSON.stringify({ input: input.text })
  return input.text === '' ? '{}' : input.text
}
