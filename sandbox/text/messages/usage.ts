import type { AnswerEnd, Usage } from '../answer.ts'

/** Counts on this wire are disjoint: `input_tokens` has no cached ones in it. */
export function usageObject(
  { input, cacheRead, cacheWrite, output, reasoning }: Usage,
  soFar = output,
): object {
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: soFar,
    ...(reasoning > 0 && soFar === output && { output_tokens_details: { thinking_tokens: reasoning } }),
  }
}

/** How an answer ended, in this wire's words. */
export function stopOf(end: AnswerEnd): { stop_reason: string; stop_sequence: string | null } {
  const stop_sequence = end.kind === 'stop-sequence' ? end.sequence : null
  return { stop_reason: STOP_REASONS[end.kind], stop_sequence }
}

const STOP_REASONS = {
  done: 'end_turn',
  calls: 'tool_use',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  refusal: 'refusal',
  filter: 'refusal',
} as const satisfies Record<AnswerEnd['kind'], string>
