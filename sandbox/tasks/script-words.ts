/** Words that have an effect in square brackets in the prompt; docs/sandbox.md explains each to clients. */
export const SCRIPT_WORDS = [
  'moderate',
  'busy',
  'concurrency',
  'overdue',
  'closed',
  'broken',
  'rich',
  'instant',
  'slow',
  'stuck',
  'late',
  'fail',
  'moderate-late',
  'bad-media',
  'expire',
  'cancelled',
  'gone',
  'odd-status',
  'no-usage',
  'no-video',
  'credits',
  'short-link',
  'marked',
  'broken-marks',
  'twice',
  'disorder',
  'silent',
] as const

export type ScriptWord = (typeof SCRIPT_WORDS)[number]

/** The words in these texts, each once; a bracket with anything else in it is part of the prompt. */
export function readScriptWords(texts: readonly string[]): ScriptWord[] {
  const found = new Set(texts.flatMap((text) => text.toLowerCase().match(/\[[a-z-]+\]/g) ?? []))
  return SCRIPT_WORDS.filter((word) => found.has(`[${word}]`))
}
