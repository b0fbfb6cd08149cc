import { lengthOf, type ReplyBlock } from '../answer.ts'
import type { ModelRequest, RequestTurn } from '../model-request.ts'

export const CHARACTERS_PER_TOKEN = 4
/** Tokens of a picture or a document, whatever its size. */
const ATTACHMENT_TOKENS = 500

export function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}

/** Counts a conversation equally in every dialect. */
export function countInput(modelRequest: ModelRequest): number {
  let characters = lengthOf(headTexts(modelRequest))
  let attachments = 0
  for (const turn of modelRequest.turns) {
    characters += lengthOf(turn.texts)
    attachments += attachmentsOf(turn)
  }
  return Math.max(1, tokensOf(characters) + attachments * ATTACHMENT_TOKENS)
}

/** Texts before the first turn. */
export function headTexts({ system, tools }: ModelRequest): string[] {
  return [
    ...system,
    ...tools.map(({ name, description, schema }) => `${name}${description}${JSON.stringify(schema ?? {})}`),
  ]
}

export function countTurn(turn: RequestTurn): number {
  return tokensOf(lengthOf(turn.texts)) + attachmentsOf(turn) * ATTACHMENT_TOKENS
}

export function countOutput(blocks: readonly ReplyBlock[]): number {
  return blocks.reduce((tokens, { pieces }) => tokens + tokensOf(lengthOf(pieces)), 0)
}

function attachmentsOf({ images, documents }: RequestTurn): number {
  return images + documents
}
