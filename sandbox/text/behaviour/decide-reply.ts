import { type AnswerEnd, lengthOf, type ModelReply, type ReplyBlock } from '../answer.ts'
import type { ModelRequest } from '../model-request.ts'
import type { Script } from '../script/read-script.ts'
import { chooseCalls } from './choose-calls.ts'
import { CHARACTERS_PER_TOKEN, countOutput } from './count-tokens.ts'
import type { PromptCache } from './prompt-cache.ts'
import type { Prompt } from './read-prompt.ts'
import { cutIntoWords, orderedText, replyText } from './reply-text.ts'

const REFUSAL = 'I cannot help with that.'

/** Decides a reply: the same question gets the same answer in every dialect. */
export function decideReply(
  modelRequest: ModelRequest,
  { script, prompt, cache }: { script: Script; prompt: Prompt; cache: PromptCache },
): ModelReply {
  const wanted = chooseBlocks(modelRequest, script, prompt)
  const { blocks, end } = holdLimits(wanted.blocks, modelRequest, wanted.end)
  const counted = cache.count(modelRequest)
  return {
    blocks,
    end,
    usage: {
      ...counted,
      cacheRead: script.words.get('cached') ?? counted.cacheRead,
      output: Math.max(1, countOutput(blocks)),
      reasoning: countOutput(blocks.filter(({ kind }) => kind === 'reasoning')),
    },
  }
}

function chooseBlocks(
  modelRequest: ModelRequest,
  script: Script,
  prompt: Prompt,
): { blocks: ReplyBlock[]; end: AnswerEnd } {
  const { words } = script
  const blocks: ReplyBlock[] = words.has('reason') ? [{ kind: 'reasoning', pieces: reason(script) }] : []
  if (words.has('refuse')) {
    blocks.push({ kind: 'refusal', pieces: cutIntoWords(REFUSAL) })
    return { blocks, end: { kind: 'refusal' } }
  }
  const calls = chooseCalls(modelRequest, script, prompt)
  const pieces = calls.length > 0 ? (orderedText(script) ?? []) : replyText(modelRequest, script, prompt)
  if (pieces.length > 0) blocks.push({ kind: 'text', pieces })
  if (words.has('filter')) return { blocks, end: { kind: 'filter' } }
  return { blocks: [...blocks, ...calls], end: { kind: calls.length > 0 ? 'calls' : 'done' } }
}

function reason({ rest }: Script): string[] {
  return cutIntoWords(`The user said ${[...rest].length} characters. I shall answer briefly.`)
}

/** Ends an answer at the first stop sequence, or at its token limit. */
function holdLimits(
  blocks: readonly ReplyBlock[],
  { stopSequences, maxTokens }: Pick<ModelRequest, 'stopSequences' | 'maxTokens'>,
  end: AnswerEnd,
): { blocks: ReplyBlock[]; end: AnswerEnd } {
  const stopped = stopAtSequence(blocks, stopSequences, end)
  return maxTokens === undefined ? stopped : stopAtLength(stopped, maxTokens * CHARACTERS_PER_TOKEN)
}

interface Held {
  blocks: ReplyBlock[]
  end: AnswerEnd
}

function stopAtSequence(blocks: readonly ReplyBlock[], sequences: readonly string[], end: AnswerEnd): Held {
  const kept: ReplyBlock[] = []
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

/** Cuts at the length. A call that would be cut is left out. */
function stopAtLength({ blocks, end }: Held, characters: number): Held {
  const kept: ReplyBlock[] = []
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

function keep(kept: ReplyBlock[], block: ReplyBlock, length: number): void {
  const pieces: string[] = []
  let left = length
  for (const piece of block.pieces) {
    if (left <= 0) break
    pieces.push(piece.slice(0, left).toWellFormed())
    left -= piece.length
  }
  if (pieces.length > 0) kept.push({ ...block, pieces })
}
