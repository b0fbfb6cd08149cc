import type { JsonObject } from '../../domain/json-object.ts'
import type { ToolCallPart } from '../hub/text-request.ts'
import { UNSIGNED } from './call-note.ts'
import type { TurnsContext } from './turns-context.ts'

export interface NotedCall {
  call: ToolCallPart
  /** What the vendor wrote beside it when it made it. */
  note: JsonObject | undefined
}

/** The calls of one message. Of calls that were made together the vendor signs the first, and looks for it there. */
export function writeCalls(calls: readonly NotedCall[], { naming, chat }: TurnsContext): object[] {
  return calls.map(({ call, note }, at) => ({
    id: call.callId,
    type: 'function',
    function: { name: naming.nameOf(call, call.input.kind), arguments: argumentsOf(call) },
    extra_content: note ?? (chat.checksSignatures && at === 0 ? UNSIGNED : undefined),
  }))
}

function argumentsOf({ input }: ToolCallPart): string {
  if (input.kind === 'text') return JSON.stringify({ input: input.text })
  return input.text === '' ? '{}' : input.text
}
