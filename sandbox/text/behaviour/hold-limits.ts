import { type AnswerEnd, type Block, lengthOf } from '../answer.ts'
import type { Asked } from '../asked.ts'
import { CHARACTERS_PER_TOKEN } from './count-tokens.ts'

/** Ends an answer at the first stop sequence, or where its tokens are used up. */
export function holdLimits(
  blocks: readonly Block[],
  { stopSequences, maxTokens }: Pick<Asked, 'stopSequences' | 'maxTokens'>,
  end: AnswerEnd,
): { blocks: Block[]; end: AnswerEnd } {
  const stopped = stopAtSequence(blocks, stopSequences, end)
  return maxTokens === undefined ? stopped : stopAtLength(stopped, maxTokens * CHARACTERS_PER_TOKEN)
}

interface Held {
  blocks: Block[]
  end: AnswerEnd
}

function stopAtSequence(blocks: readonly Block[], sequences: readonly string[], end: AnswerEnd): Held {
  const kept: Block[] = []
  for (const block of blocks) {
    const stop = block.kind === 'text' ? findSequence(block.pieces, sequences) : undefined
    if (stop !== undefined) {
      keep(kept, block, stop.at)
      return { blocks: kept, end: { kind: 'stop-sequence', sequence: stop.sequence } }
    }
    kept.push(block)
  }
  return { blocks: kept, end }
}

function findSequence(pieces: readonly string[], sequences: readonly string[]) {
  if (sequences.length === 0) return undefined
  const text = pieces.join('')
  return sequences
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at)[0]
}

/** A call that is not whole is left out. */
function stopAtLength({ blocks, end }: Held, characters: number): Held {
  const kept: Block[] = []
  let left = characters
  for (const block of blocks) {
    const length = lengthOf(block.pieces)
    if (length > left) {
      if (block.kind !== 'call') keep(kept, block, left)
      return { blocks: kept, end: { kind: 'length' } }
    }
    left -= length
    kept.push(block)
  }
  return { blocks: kept, end }
}

function keep(kept: Block[], block: Block, length: number): void {
  const pieces: string[] = []
  let left = length
  for (const piece of block.pieces) {
    if (left <= 0) break
    pieces.push(piece.slice(0, left).toWellFormed())
    left -= piece.length
  }
  if (pieces.length > 0) kept.push({ ...block, pieces })
}
