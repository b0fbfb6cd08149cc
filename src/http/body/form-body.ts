import type { JsonObject } from '@sluice/dialects/json/json-object'
import { ApiError } from '../../domain/api-error.ts'

const FORM_TYPE = /^multipart\/form-data\s*;/i

export function isFormType(type: string | undefined): type is string {
  return type !== undefined && FORM_TYPE.test(type)
}

/**
 * Converts a form to the JSON object that a client could have sent instead, so that every later step knows only JSON:
 * `a[b]` is the member `b` of `a`. Of a file only its name and size stay.
 */
export async function formAsJson(bytes: Buffer, type: string): Promise<Buffer> {
  const members = new Map<string, unknown>()
  for (const [name, value] of await parseForm(bytes, type)) {
    const shown = typeof value === 'string' ? value : { filename: value.name, bytes: value.size }
    const [, outer = name, inner] = NESTED.exec(name) ?? []
    members.set(outer, inner === undefined ? shown : withMember(members.get(outer), inner, shown))
  }
  return Buffer.from(JSON.stringify(Object.fromEntries(members)))
}

const NESTED = /^([^[\]]+)\[([^[\]]+)\]$/

function withMember(known: unknown, name: string, value: unknown): JsonObject {
  const members = typeof known === 'object' && known !== null ? Object.entries(known) : []
  return Object.fromEntries([...members, [name, value]])
}

async function parseForm(bytes: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw new ApiError('invalid_parameter', { message: 'The form cannot be read.', cause })
  }
}
