import type { Part, ToolResultPart, Turn } from '../canonical/request.ts'
import { MessageList } from './message-list.ts'
import type { ChatMessage } from './wire.ts'
import { writeAssistant } from './write-assistant.ts'
import { type ChatTurnsContext, textOfDocument, type UserPart, writeContent } from './write-content.ts'

/** Writes turns as messages. Consecutive text and calls of the assistant are one message in this dialect. */
export function writeTurns(turns: readonly Turn[], context: ChatTurnsContext): ChatMessage[] {
  const list = new MessageList()
  let assistant: Part[] = []
  const endAssistant = () => {
    if (assistant.length > 0) writeAssistant(assistant, list, context)
    assistant = []
  }
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      for (const part of turn.parts) assistant.push(part)
      continue
    }
    endAssistant()
    if (turn.role === 'user') writeUser(turn.parts, list, context)
    else writeInstruction(turn.role, turn.parts, list, context)
  }
  endAssistant()
  const { messages } = list
  return context.chat.bridgesResults ? bridgeResults(messages) : messages
}

/** Writes the text of a system message; this dialect takes nothing else there. */
function writeInstruction(
  role: 'system' | 'developer',
  parts: readonly Part[],
  list: MessageList,
  { losses }: ChatTurnsContext,
): void {
  const texts: string[] = []
  for (const part of parts) {
    if (part.kind !== 'text') losses.add('unknown_block')
    else if (part.text !== '') texts.push(part.text)
  }
  if (texts.length > 0) list.add({ role, content: texts.join('\n\n') })
}

/** Writes results as answers to their calls; everything else, also media of results, follows as the user's message. */
function writeUser(parts: readonly Part[], list: MessageList, { losses }: ChatTurnsContext): void {
  const content: UserPart[] = []
  for (const part of parts) {
    switch (part.kind) {
      case 'text':
      case 'image':
      case 'document':
        content.push(part)
        break
      case 'refusal':
        content.push({ kind: 'text', text: part.text })
        break
      case 'tool-result':
        answerCall(part, content, list)
        break
      default:
        losses.add(part.kind === 'reasoning' ? 'reasoning_replay' : 'unknown_block')
    }
  }
  const written = writeContent(content, losses)
  if (written !== undefined) list.add({ role: 'user', content: written })
}
function answerCall(result: ToolResultPart, content: UserPart[], list: MessageList): void {
  const { text, media } = writeResult(result)
  list.answer(result.callId, { role: 'tool', tool_call_id: result.callId, content: text })
  for (const part of media) content.push(part)
}

/** Adds a short message of the assistant after a tool, for vendors that accept no other role there. */
export function bridgeResults(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message, at) =>
    messages[at - 1]?.role === 'tool' && !MAY_FOLLOW.has(message.role) ? [BRIDGE, message] : [message],
  )
}

const MAY_FOLLOW: ReadonlySet<string> = new Set(['tool', 'assistant'])

/** A neutral text, so that the model does not continue it. Some vendors refuse an empty one. */
const BRIDGE: ChatMessage = { role: 'assistant', content: 'Noted.' }

/**
 * Writes a result. This dialect takes only text from a tool: images and files go into the user's next message, both
 * messages mention it, and a failure is stated in the text.
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
