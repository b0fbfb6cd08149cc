import { type ReplyBlock, textOf } from '../answer.ts'
import { sealOf } from '../behaviour/seal.ts'
import type { Envelope } from '../dialect.ts'
import type { ReplyItems } from './stored-items.ts'

/** Ids of an output item; only a call has a `callId`. */
export interface ItemIds {
  id: string
  callId: string
}

export function newItemIds(block: ReplyBlock, newId: Envelope['newId']): ItemIds {
  return { id: newId(prefixOf(block)), callId: block.kind === 'call' ? newId('call') : '' }
}

function prefixOf(block: ReplyBlock): string {
  if (block.kind === 'reasoning') return 'rs'
  if (block.kind === 'call') return block.input === 'json' ? 'fc' : 'ctc'
  return 'msg'
}

/** An item at its start, without content. */
export function emptyItem(block: ReplyBlock, ids: ItemIds): object {
  return itemOf(block, ids, { isDone: false, seal: undefined })
}

/** A finished item; it is stored unless the request has `store: false`. */
export function wholeItem(
  block: ReplyBlock,
  ids: ItemIds,
  { modelRequest, body, stored }: Envelope & { stored: ReplyItems },
): object {
  const seal =
    modelRequest.wantsSeal && block.kind === 'reasoning' ? sealOf('responses', textOf(block)) : undefined
  const item = itemOf(block, ids, { isDone: true, seal })
  if (body.store !== false) stored.keep(ids.id, item)
  return item
}

function itemOf(
  block: ReplyBlock,
  { id, callId }: ItemIds,
  { isDone, seal }: { isDone: boolean; seal: string | undefined },
): object {
  const text = isDone ? textOf(block) : ''
  const status = isDone ? 'completed' : 'in_progress'
  switch (block.kind) {
    case 'reasoning':
      return {
        id,
        type: 'reasoning',
        summary: isDone ? [summaryPart(text)] : [],
        ...(seal !== undefined && { encrypted_content: seal }),
      }
    case 'call': {
      const { name, namespace } = block
      const common = { id, call_id: callId, name, ...(namespace !== undefined && { namespace }), status }
      return block.input === 'json'
        ? { type: 'function_call', ...common, arguments: text }
        : { type: 'custom_tool_call', ...common, input: text }
    }
    default:
      return {
        id,
        type: 'message',
        role: 'assistant',
        status,
        content: isDone ? [contentPart(block, text)] : [],
      }
  }
}

export function contentPart({ kind }: ReplyBlock, text: string): object {
  return kind === 'refusal'
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [], logprobs: [] }
}

export function summaryPart(text: string): object {
  return { type: 'summary_text', text }
}
