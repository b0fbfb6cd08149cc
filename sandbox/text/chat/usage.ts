import type { AnswerEnd, Usage } from '../answer.ts'

/** `prompt_tokens` has the cached ones in it on this wire. */
export function usageObject({ input, cacheRead, cacheWrite, output, reasoning }: Usage): object {
  const all = input + cacheRead + cacheWrite
  return {
    prompt_tokens: all,
    completion_tokens: output,
    total_tokens: all + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}

/** How an answer ended, in this wire's words. */
export function finishOf(end: AnswerEnd): string {
  return FINISH_REASONS[end.kind]
}

const FINISH_REASONS = {
  done: 'stop',
  calls: 'tool_calls',
  'stop-sequence': 'stop',
  length: 'length',
  refusal: 'stop',
  filter: 'content_filter',
} as const satisfies Record<AnswerEnd['kind'], string>
