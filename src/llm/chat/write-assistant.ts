import type { JsonObject } from '../../domain/json-object.ts'
import type { Part, ReasoningPart } from '../hub/text-request.ts'
import { readCallNote } from './call-note.ts'
import type { Conversation } from './conversation.ts'
import { sealOwner } from './seal-owner.ts'
import { openSeal } from './seal-reasoning.ts'
import type { TurnsContext } from './turns-context.ts'
import { type NotedCall, writeCalls } from './write-calls.ts'

/**
 * One message of the assistant: its words, its refusal, its calls. Its reasoning has no place on this wire, but for
 * vendors that want it back.
 */
export function writeAssistant(
  parts: readonly Part[],
  conversation: Conversation,
  context: TurnsContext,
): void {
  const { texts, refusals, calls, thoughts } = gather(parts, context)
  if (texts.length + refusals.length + calls.length === 0) {
    if (thoughts.length > 0) context.losses.add('reasoning_replay')
    return
  }
  const message = {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join('\n\n'),
    reasoning_content: context.chat.replaysReasoning ? writeThoughts(thoughts, calls.length > 0) : undefined,
    refusal: refusals.length === 0 ? undefined : refusals.join('\n\n'),
    tool_calls: calls.length === 0 ? undefined : writeCalls(calls, context),
  }
  conversation.say(message, { callIds: calls.map(({ call }) => call.callId) })
}

interface Said {
  texts: string[]
  refusals: string[]
  calls: NotedCall[]
  thoughts: string[]
}

function gather(parts: readonly Part[], context: TurnsContext): Said {
  const said: Said = { texts: [], refusals: [], calls: [], thoughts: [] }
  let note: JsonObject | undefined
  for (const part of parts) {
    switch (part.kind) {
      case 'text':
        if (part.text !== '') said.texts.push(part.text)
        break
      case 'refusal':
        said.refusals.push(part.text)
        break
      case 'tool-call':
        said.calls.push({ call: part, note })
        note = undefined
        break
      case 'reasoning': {
        const beside = noteIn(part, context)
        if (beside === undefined) said.thoughts.push(...readThought(part, context))
        note = beside ?? note
        break
      }
      default:
        context.losses.add('unknown_block')
    }
  }
  if (note !== undefined) context.losses.add('reasoning_replay')
  return said
}

/** What this vendor wrote beside the call that follows. */
function noteIn({ text, seal }: ReasoningPart, { provider }: TurnsContext): JsonObject | undefined {
  return text === '' && seal?.provider === sealOwner(provider) ? readCallNote(seal.proof) : undefined
}

/** As the client was shown it, or out of the seal where it was not. */
function readThought({ text, seal }: ReasoningPart, { provider, chat, losses }: TurnsContext): string[] {
  const isOwn = seal?.provider === sealOwner(provider)
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
