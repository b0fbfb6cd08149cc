import type { TextRequest } from '../hub/text-request.ts'

export function countText(text: string): number {
  return Math.ceil(text.length / 4)
}

export function countRequest(request: TextRequest): number {
  return countText(JSON.stringify([request.turns, request.tools]))
}

export function countBody(bytes: Buffer): number {
  return Math.ceil(bytes.length / 4)
}
