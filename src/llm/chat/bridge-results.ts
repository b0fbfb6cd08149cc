import type { ChatMessage } from './conversation.ts'

/** For vendors that let nobody but the assistant speak after a tool: it says so much, wherever somebody else would come next. */
export function bridgeResults(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message, at) =>
    messages[at - 1]?.role === 'tool' && !MAY_FOLLOW.has(message.role) ? [BRIDGE, message] : [message],
  )
}

const MAY_FOLLOW: ReadonlySet<string> = new Set(['tool', 'assistant'])

/** An empty one is refused by some, and models take up what they read: it should lead nowhere. */
const BRIDGE = { role: 'assistant', content: 'Noted.' }
