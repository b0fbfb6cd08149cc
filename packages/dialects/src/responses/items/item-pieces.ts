import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { textOf } from '../../values/values.ts'

/** `summary` and `thought` are the two ways to show reasoning. */
export type PieceKind = 'text' | 'refusal' | 'json-call' | 'text-call' | 'summary' | 'thought'

/** A piece of text within an item, as far as it arrived. */
export interface ItemPiece {
  kind: PieceKind
  /** Position within the item. */
  rank: number
  /** Text that arrived and was not emitted yet. */
  waiting: string
  /** Length of all text that arrived. */
  length: number
  /** Whether no more text of it will arrive. */
  isComplete: boolean
  /**
   * State of the emitted text. `unseen`: no text. `shown`: all text that arrived. `closed`: all text of the
   * complete piece.
   */
  output: 'unseen' | 'shown' | 'closed'
}

/** Rank of the first thought: thoughts come after summaries, however many there are. */
const THOUGHTS_FROM = 1_000_000

export function rankOf(kind: PieceKind, event: JsonObject): number {
  switch (kind) {
    case 'text':
    case 'refusal':
      return indexOf(event.content_index)
    case 'summary':
      return indexOf(event.summary_index)
    case 'thought':
      return THOUGHTS_FROM + indexOf(event.content_index)
    default:
      return 0
  }
}

function indexOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

interface WholePiece {
  kind: PieceKind
  event: JsonObject
  text: string
}

/** The content of a finished item, as the events that would have brought it. */
export function piecesOfItem(item: JsonObject): WholePiece[] {
  switch (item.type) {
    case 'message':
      return partsOf(item.content).flatMap((part, index): WholePiece[] => {
        const event = { content_index: index }
        if (part.type === 'output_text') return [{ kind: 'text', event, text: textOf(part.text) }]
        return part.type === 'refusal' ? [{ kind: 'refusal', event, text: textOf(part.refusal) }] : []
      })
    case 'reasoning':
      return [
        ...partsOf(item.summary).map((part, index) =>
          pieceOf('summary', { summary_index: index }, part.text),
        ),
        ...partsOf(item.content).map((part, index) =>
          pieceOf('thought', { content_index: index }, part.text),
        ),
      ]
    case 'function_call':
      return [pieceOf('json-call', {}, item.arguments)]
    case 'custom_tool_call':
      return [pieceOf('text-call', {}, item.input)]
    default:
      return []
  }
}

function pieceOf(kind: PieceKind, event: JsonObject, text: unknown): WholePiece {
  return { kind, event, text: textOf(text) }
}

function partsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
