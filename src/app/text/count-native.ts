import { Refusal } from '../../domain/refusal.ts'
import { countBody, countRequest } from '../../llm/count/count-tokens.ts'
import { CLIENT_WIRES } from '../../llm/dialects.ts'
import type { TextCommand } from './text-command.ts'

/** Our own count of a request that its vendor takes as it is, with whatever no conversion could carry. */
export function countNative({ endpoint, body }: Pick<TextCommand, 'endpoint' | 'body'>): number {
  try {
    return countRequest(CLIENT_WIRES[endpoint].readRequest(body.value))
  } catch (refusal) {
    if (refusal instanceof Refusal) return countBody(body).tokens
    throw refusal
  }
}
