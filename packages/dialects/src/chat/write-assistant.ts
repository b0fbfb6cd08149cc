import type { Part, ReasoningPart, ToolCallPart } from '../canonical/request.ts'
import type { JsonObject } from '../json/json-object.ts'
import { type CallSignature, readCallSignature } from './call-signature.ts'
import type { MessageList } from './message-list.ts'
import { openSeal } from './seal-reasoning.ts'
import type { AssistantMessage, ToolCall } from './wire.ts'
import type { ChatTurnsContext } from './write-content.ts'

/**
 * Writes one message of the assistant: its text, its refusal, its calls. Reasoning has no place in this dialect,
 * except for vendors that want it back.
 */
export function writeAssistant(
  parts: readonly Part[],
  messages: MessageList,
  context: ChatTurnsContext,
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
  messages.add(message, { callIds: calls.map(({ callId }) => callId) })
}

interface AssistantParts {
  texts: string[]
  refusals: string[]
  calls: ToolCallPart[]
  thoughts: string[]
  /** Signatures of the vendor by the ids of their calls. */
  signatures: Map<string, JsonObject>
}

function gather(parts: readonly Part[], context: ChatTurnsContext): AssistantParts {
  const gathered: AssistantParts = { texts: [], refusals: [], calls: [], thoughts: [], signatures: new Map() }
  for (const part of parts) {
    switch (part.kind) {
      case 'text':
        if (part.text !== '') gathered.texts.push(part.text)
        break
      case 'refusal':
        gathered.refusals.push(part.text)
        break
      case 'tool-call':
        gathered.calls.push(part)
        break
      case 'reasoning': {
        const signed = signatureIn(part, context)
        if (signed !== undefined) gathered.signatures.set(signed.callId, signed.signature)
        else for (const thought of readThought(part, context)) gathered.thoughts.push(thought)
        break
      }
      default:
        context.losses.add('unknown_block')
    }
  }
  return gathered
}

/** Whether there is a signature whose call the client left out. */
function hasStraySignature(
  signatures: ReadonlyMap<string, JsonObject>,
  calls: readonly ToolCallPart[],
): boolean {
  return (
    signatures.size > 0 &&
    new Set(signatures.keys()).difference(new Set(calls.map(({ callId }) => callId))).size > 0
  )
}

/** The signature of this vendor in the seal of an empty reasoning part. */
function signatureIn(
  { text, seal }: ReasoningPart,
  { provider }: ChatTurnsContext,
): CallSignature | undefined {
  return text === '' && seal?.provider === provider ? readCallSignature(seal.proof) : undefined
}

/** The reasoning text that the client got, or the text in the seal where it got none. */
function readThought({ text, seal }: ReasoningPart, { provider, chat, losses }: ChatTurnsContext): string[] {
  const isOwn = seal?.provider === provider
  if (chat.replaysReasoning && seal !== undefined && !isOwn) losses.add('foreign_seal')
  const thought = text === '' && isOwn ? openSeal(seal.proof) : text
  if (chat.replaysReasoning && thought !== '') return [thought]
  losses.add('reasoning_replay')
  return []
}

/** Reasoning beside a call must be present and not empty, even where another model made the call without reasoning. */
function writeThoughts(thoughts: readonly string[], hasCalls: boolean): string | undefined {
  if (thoughts.length > 0) return thoughts.join('\n\n')
  return hasCalls ? ' ' : undefined
}

function writeCalls(
  calls: readonly ToolCallPart[],
  signatures: ReadonlyMap<string, JsonObject>,
  { naming, chat }: ChatTurnsContext,
): ToolCall[] {
  return calls.map((call, at) => ({
    id: call.callId,
    type: 'function',
    function: { name: naming.nameOf(call, call.input.kind), arguments: argumentsOf(call) },
    // The vendor signs the first of several calls that are made together, and checks only that one.
    extra_content: signatures.get(call.callId) ?? (chat.checksSignatures && at === 0 ? UNSIGNED : undefined),
  }))
}

/** Google accepts an unsigned call with this value: another model made it, or the client lost the signature. */
const UNSIGNED = { google: { thought_signature: 'skip_thought_signature_validator' } }

function argumentsOf({ input }: ToolCallPart): string {
  if (input.kind === 'text') return JSON.stringify({ input: input.text })
  return input.text === '' ? '{}' : input.text
}
