import type { Answer, AnswerEnd, Block } from '../answer.ts'
import type { Asked } from '../asked.ts'
import type { Script } from '../script/read-script.ts'
import { chooseCalls } from './choose-calls.ts'
import { countOutput } from './count-tokens.ts'
import { holdLimits } from './hold-limits.ts'
import type { PromptCache } from './prompt-cache.ts'
import type { Prompt } from './read-prompt.ts'
import { cutIntoWords, replyText, sayOrdered } from './reply-text.ts'

const REFUSAL = 'I cannot help with that.'

/** The whole of this vendor's mind: the same question gets the same answer in every dialect. */
export function decideReply(
  asked: Asked,
  { script, prompt, cache }: { script: Script; prompt: Prompt; cache: PromptCache },
): Answer {
  const wanted = chooseBlocks(asked, script, prompt)
  const { blocks, end } = holdLimits(wanted.blocks, asked, wanted.end)
  const counted = cache.count(asked)
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

function chooseBlocks(asked: Asked, script: Script, prompt: Prompt): { blocks: Block[]; end: AnswerEnd } {
  const { words } = script
  const blocks: Block[] = words.has('reason') ? [{ kind: 'reasoning', pieces: reason(script) }] : []
  if (words.has('refuse')) {
    blocks.push({ kind: 'refusal', pieces: cutIntoWords(REFUSAL) })
    return { blocks, end: { kind: 'refusal' } }
  }
  const calls = chooseCalls(asked, script, prompt)
  const pieces = calls.length > 0 ? (sayOrdered(script) ?? []) : replyText(asked, script, prompt)
  if (pieces.length > 0) blocks.push({ kind: 'text', pieces })
  if (words.has('filter')) return { blocks, end: { kind: 'filter' } }
  return { blocks: [...blocks, ...calls], end: { kind: calls.length > 0 ? 'calls' : 'done' } }
}

function reason({ rest }: Script): string[] {
  return cutIntoWords(`The user said ${[...rest].length} characters. I shall answer briefly.`)
}
