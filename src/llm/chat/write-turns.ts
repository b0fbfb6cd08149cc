import type { Part, ToolResultPart, Turn } from '../canonical/request.ts'
import { Conversation } from './conversation.ts'
import type { ChatMessage } from './wire.ts'
import { writeAssistant } from './write-assistant.ts'
import { type TurnsContext, textOfDocument, type UserPart, writeContent } from './write-content.ts'

/** Turns as messages. What the assistant said and called in a row is one message, as this wire has it. */
export function writeTurns(turns: readonly Turn[], context: TurnsContext): ChatMessage[] {
  const conversation = new Conversation()
  let said: Part[] = []
  const endAssistant = () => {
    if (said.length > 0) writeAssistant(said, conversation, context)
    said = []
  }
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      for (const part of turn.parts) said.push(part)
      continue
    }
    endAssistant()
    if (turn.role === 'user') writeUser(turn.parts, conversation, context)
    else writeInstruction(turn.role, turn.parts, conversation, context)
  }
  endAssistant()
  const { messages } = conversation
  return context.chat.bridgesResults ? bridgeResults(messages) : messages
}

/** A system's words are text alone on this wire. */
function writeInstruction(
  role: 'system' | 'developer',
  parts: readonly Part[],
  conversation: Conversation,
  { losses }: TurnsContext,
): void {
  const texts: string[] = []
  for (const part of parts) {
    if (part.kind !== 'text') losses.add('unknown_block')
    else if (part.text !== '') texts.push(part.text)
  }
  if (texts.length > 0) conversation.say({ role, content: texts.join('\n\n') })
}

/** Results answer their calls; everything else, the media of results too, is what the user says after them. */
function writeUser(parts: readonly Part[], conversation: Conversation, { losses }: TurnsContext): void {
  const said: UserPart[] = []
  for (const part of parts) {
    switch (part.kind) {
      case 'text':
      case 'image':
      case 'document':
        said.push(part)
        break
      case 'refusal':
        said.push({ kind: 'text', text: part.text })
        break
      case 'tool-result':
        answerCall(part, said, conversation)
        break
      default:
        losses.add(part.kind === 'reasoning' ? 'reasoning_replay' : 'unknown_block')
    }
  }
  const content = writeContent(said, losses)
  if (content !== undefined) conversation.say({ role: 'user', content })
}

function answerCall(result: ToolResultPart, said: UserPart[], conversation: Conversation): void {
  const { text, media } = writeResult(result)
  conversation.answer(result.callId, { role: 'tool', tool_call_id: result.callId, content: text })
  for (const part of media) said.push(part)
}

/** For vendors that accept only the assistant after a tool: adds a short message of the assistant where another role would follow. */
export function bridgeResults(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message, at) =>
    messages[at - 1]?.role === 'tool' && !MAY_FOLLOW.has(message.role) ? [BRIDGE, message] : [message],
  )
}

const MAY_FOLLOW: ReadonlySet<string> = new Set(['tool', 'assistant'])

/** An empty one is refused by some, and models take up what they read: it should lead nowhere. */
const BRIDGE: ChatMessage = { role: 'assistant', content: 'Noted.' }

/**
 * This wire takes only text from a tool. Images and files go into the user's next message, and both sides of the gap say
 * so; that a tool failed is said in words.
 */
function writeResult({ callId, isError, parts }: ToolResultPart): { text: string; media: UserPart[] } {
  const texts: string[] = isError ? [ERROR_MARK] : []
  const media: UserPart[] = []
  for (const part of parts) {
    const text =
      part.kind === 'text' ? part.text : part.kind === 'document' ? textOfDocument(part) : undefined
    if (text === undefined) media.push(part)
    else if (text !== '') texts.push(text)
  }
  if (media.length > 0) {
    texts.push('[Images or files of this result follow in the next user message.]')
    media.unshift({ kind: 'text', text: `[Images or files of the result of tool call ${callId}:]` })
  }
  return { text: texts.join('\n'), media }
}

const ERROR_MARK = '[The tool failed.]'
