import type { ChatMessage } from './conversation.ts'

/** For vendors that let nobody but the assistant speak after a tool: it says so much, wherever the user would come next. */
export function bridgeResults(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message, at) =>
    message.role === 'user' && messages[at - 1]?.role === 'tool' ? [BRIDGE, message] : [message],
  )
}

/** An empty one is refused by some, and models take up what they read: it should lead nowhere. */
const BRIDGE = { role: 'assistant', content: 'Noted.' }
