import type { JsonObject } from '../../domain/json-object.ts'
import type { ToolCallPart } from '../hub/text-request.ts'
import type { TurnsContext } from './turns-context.ts'

/** The calls of one message, each with what the vendor wrote beside it. */
export function writeCalls(
  calls: readonly ToolCallPart[],
  signatures: ReadonlyMap<string, JsonObject>,
  { naming, chat }: TurnsContext,
): object[] {
  return calls.map((call, at) => ({
    id: call.callId,
    type: 'function',
    function: { name: naming.nameOf(call, call.input.kind), arguments: argumentsOf(call) },
    // Of calls that are made together the vendor signs the first, and looks for it there.
    extra_content: signatures.get(call.callId) ?? (chat.checksSignatures && at === 0 ? UNSIGNED : undefined),
  }))
}

/** By these words Google lets a call pass that its model did not sign: another made it, or the client lost the signature. */
const UNSIGNED = { google: { thought_signature: 'skip_thought_signature_validator' } }

function argumentsOf({ input }: ToolCallPart): string {
  if (input.kind === 'text') return JSON.stringify({ input: input.text })
  return input.text === '' ? '{}' : input.text
}
