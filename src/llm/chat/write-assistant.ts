import type { JsonObject } from '../../domain/json-object.ts'
import type { Part, ReasoningPart, ToolCallPart } from '../canonical/request.ts'
import { type CallSignature, readCallSignature } from './call-signature.ts'
import type { Conversation } from './conversation.ts'
import { openSeal } from './seal-reasoning.ts'
import type { AssistantMessage, ToolCall } from './wire.ts'
import type { TurnsContext } from './write-content.ts'

/**
 * One message of the assistant: its words, its refusal, its calls. Its reasoning has no place on this wire, but for
 * vendors that want it back.
 */
export function writeAssistant(
  parts: readonly Part[],
  conversation: Conversation,
  context: TurnsContext,
): void {
  const { texts, refusals, calls, thoughts, signatures } = gather(parts, context)
  if (hasStraySignature(signatures, calls)) context.losses.add('reasoning_replay')
  if (texts.length + refusals.length + calls.length === 0) {
    if (thoughts.length > 0) context.losses.add('reasoning_replay')
    return
  }
  const message: AssistantMessage = {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join('\n\n'),
    reasoning_content: context.chat.replaysReasoning ? writeThoughts(thoughts, calls.length > 0) : undefined,
    refusal: refusals.length === 0 ? undefined : refusals.join('\n\n'),
    tool_calls: calls.length === 0 ? undefined : writeCalls(calls, signatures, context),
  }
  conversation.say(message, { callIds: calls.map(({ callId }) => callId) })
}

interface Said {
  texts: string[]
  refusals: string[]
  calls: ToolCallPart[]
  thoughts: string[]
  /** What the vendor wrote beside calls, by their ids. */
  signatures: Map<string, JsonObject>
}

function gather(parts: readonly Part[], context: TurnsContext): Said {
  const said: Said = { texts: [], refusals: [], calls: [], thoughts: [], signatures: new Map() }
  for (const part of parts) {
    switch (part.kind) {
      case 'text':
        if (part.text !== '') said.texts.push(part.text)
        break
      case 'refusal':
        said.refusals.push(part.text)
        break
      case 'tool-call':
        said.calls.push(part)
        break
      case 'reasoning': {
        const signed = signatureIn(part, context)
        if (signed !== undefined) said.signatures.set(signed.callId, signed.signature)
        else for (const thought of readThought(part, context)) said.thoughts.push(thought)
        break
      }
      default:
        context.losses.add('unknown_block')
    }
  }
  return said
}

/** Its call is gone: the client left it out. */
function hasStraySignature(
  signatures: ReadonlyMap<string, JsonObject>,
  calls: readonly ToolCallPart[],
): boolean {
  return (
    signatures.size > 0 &&
    new Set(signatures.keys()).difference(new Set(calls.map(({ callId }) => callId))).size > 0
  )
}

/** What this vendor wrote beside one of the calls. */
function signatureIn({ text, seal }: ReasoningPart, { provider }: TurnsContext): CallSignature | undefined {
  return text === '' && seal?.provider === provider ? readCallSignature(seal.proof) : undefined
}

/** As the client was shown it, or out of the seal where it was not. */
function readThought({ text, seal }: ReasoningPart, { provider, chat, losses }: TurnsContext): string[] {
  const isOwn = seal?.provider === provider
  if (chat.replaysReasoning && seal !== undefined && !isOwn) losses.add('foreign_seal')
  const thought = text === '' && isOwn ? openSeal(seal.proof) : text
  if (chat.replaysReasoning && thought !== '') return [thought]
  losses.add('reasoning_replay')
  return []
}

/** With a call it must be there, and must not be empty, also where another model made the call and thought nothing. */
function writeThoughts(thoughts: readonly string[], hasCalls: boolean): string | undefined {
  if (thoughts.length > 0) return thoughts.join('\n\n')
  return hasCalls ? ' ' : undefined
}

/** The calls of one message, each with what the vendor wrote beside it. */
function writeCalls(
  calls: readonly ToolCallPart[],
  signatures: ReadonlyMap<string, JsonObject>,
  { naming, chat }: TurnsContext,
): ToolCall[] {
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
