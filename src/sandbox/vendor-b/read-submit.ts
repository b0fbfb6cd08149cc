import { isRatio } from '../clips/picture-size.ts'
import type { SandboxReply } from '../part.ts'
import { readScriptWords } from '../tasks/script-words.ts'
import { isObject } from './field-checks.ts'
import { reply, unprocessable } from './reply.ts'
import type { VendorBOrder } from './task.ts'
import { WORKS } from './works.ts'

/** Any key is good but the one that is there to be refused. */
const REFUSED_KEY = 'bad-key'

/** Reads a submit body; the key stands inside it. */
export function readSubmit(name: string, bytes: Buffer): { order: VendorBOrder } | { refusal: SandboxReply } {
  const body = parse(bytes)
  if (!isObject(body)) {
    const detail = { loc: ['body'], msg: 'the body must be a JSON object', type: 'value_error.jsondecode' }
    return { refusal: unprocessable([detail]) }
  }
  const { api_key: key, ...asked } = body
  if (typeof key !== 'string' || key === '' || key === REFUSED_KEY) {
    return { refusal: reply({ httpStatus: 401, code: 401, status: 'error', msg: 'Invalid API key' }) }
  }
  const work = WORKS[name]
  const wrong = work?.check(asked, ['body']) ?? []
  const complaint = wrong.length === 0 ? work?.rules.map((rule) => rule(asked)).find(Boolean) : undefined
  const detail = complaint === undefined ? wrong : [complaint]
  return detail.length > 0 ? { refusal: unprocessable(detail) } : { order: orderOf(name, asked) }
}

function orderOf(work: string, asked: Record<string, unknown>): VendorBOrder {
  const texts = [asked.prompt, asked.style_name, asked.cut_type].filter((text) => typeof text === 'string')
  return {
    work,
    words: readScriptWords(texts),
    resolution: typeof asked.resolution === 'string' ? asked.resolution : '720p',
    ratio: isRatio(asked.aspect_ratio) ? asked.aspect_ratio : '16:9',
    videoSeconds: typeof asked.duration === 'number' ? asked.duration : 5,
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
