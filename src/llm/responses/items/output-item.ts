import type { ReplyIdPrefix } from '../../canonical/codec.ts'
import type { BlockHead, ToolCallHead } from '../../canonical/reply-event.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export interface MessageItem {
  id: string
  type: 'message'
  status: ItemStatus
  role: 'assistant'
  content: MessagePart[]
}

export type MessagePart =
  | { type: 'output_text'; annotations: object[]; logprobs: object[]; text: string }
  | { type: 'refusal'; refusal: string }

/** Clients send reasoning back as it is, and vendors refuse a status on it. */
export interface ReasoningItem {
  id: string
  type: 'reasoning'
  summary: { type: 'summary_text'; text: string }[]
  encrypted_content?: string
}

export interface FunctionCallItem extends Called {
  type: 'function_call'
  arguments: string
}

export interface CustomCallItem extends Called {
  type: 'custom_tool_call'
  input: string
}

interface Called {
  id: string
  status: ItemStatus
  call_id: string
  name: string
  namespace?: string
}

export type OutputItem = MessageItem | ReasoningItem | FunctionCallItem | CustomCallItem

/** An item as it begins: there, and empty. Opaque blocks have no item of their own. */
export function emptyItem(
  block: Exclude<BlockHead, { kind: 'opaque' }>,
  newId: (prefix: ReplyIdPrefix) => string,
): OutputItem {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      return { id: newId('msg'), type: 'message', status: 'in_progress', role: 'assistant', content: [] }
    case 'reasoning':
      return { id: newId('rs'), type: 'reasoning', summary: [] }
    case 'tool-call':
      return block.input === 'text'
        ? { id: newId('ctc'), type: 'custom_tool_call', ...called(block), input: '' }
        : { id: newId('fc'), type: 'function_call', ...called(block), arguments: '' }
  }
}

function called({ callId, name, namespace }: ToolCallHead): Omit<Called, 'id'> {
  return {
    status: 'in_progress',
    call_id: callId,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  }
}

export function emptyPart(kind: 'text' | 'refusal'): MessagePart {
  return kind === 'text'
    ? { type: 'output_text', annotations: [], logprobs: [], text: '' }
    : { type: 'refusal', refusal: '' }
}
