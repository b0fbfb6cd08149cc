import { createHash } from 'node:crypto'
import { ApiError } from '../../domain/api-error.ts'

const FORM_TYPE = /^multipart\/form-data\s*;/i
const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i

/** Limit of a form's parts, above the number of fields and metadata members of a create call. */
const PARTS_MAX = 512
/** Limit for all but the files, as for the JSON of the same calls. Text of control characters takes six times as much. */
const FIELDS_BYTES_MAX = 1024 * 1024
/** Limit of a part's header, which has the names of its field and file. */
const HEAD_BYTES_MAX = 4_096

export function isFormType(type: string | undefined): type is string {
  return type !== undefined && FORM_TYPE.test(type)
}

/**
 * Converts a form to the equivalent JSON object, so that later steps know only JSON: `a[b]` is the member `b` of `a`. A
 * file becomes its name, size and hash, which identify it in the JSON.
 */
export function readForm(bytes: Buffer, type: string): { json: Buffer; files: Map<string, Buffer> } {
  const members = new Map<string, unknown>()
  const files = new Map<string, Buffer>()
  let fieldBytes = bytes.length
  for (const { name, value, file } of readParts(bytes, boundaryIn(type))) {
    if (file !== undefined) files.set(name, file)
    fieldBytes -= file?.length ?? 0
    const [, outer = name, inner] = NESTED.exec(name) ?? []
    if (inner === undefined) members.set(outer, value)
    else {
      const known = members.get(outer)
      members.set(outer, (known instanceof Map ? known : new Map<string, unknown>()).set(inner, value))
    }
  }
  if (fieldBytes > FIELDS_BYTES_MAX) throw new ApiError('body_too_large')
  const asObject = (value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value)
  const json = Buffer.from(JSON.stringify(Object.fromEntries(members), (_, value) => asObject(value)))
  return { json, files }
}

const NESTED = /^([^[\]]+)\[([^[\]]+)\]$/

interface FormPart {
  name: string
  value: string | { filename: string; bytes: number; sha256: string }
  file?: Buffer
}

/** Parses the parts within limits, because Node's own form parser takes seconds for thousands of parts. */
function readParts(bytes: Buffer, boundary: string): FormPart[] {
  const edge = `\r\n--${boundary}`
  const parts: FormPart[] = []
  const first = edge.slice(2)
  let at = bytes.subarray(0, first.length).toString('latin1') === first ? first.length : endOf(edge, bytes, 0)
  while (bytes.toString('latin1', at, at + 2) !== '--') {
    const headBytes = bytes.subarray(at, at + HEAD_BYTES_MAX).indexOf('\r\n\r\n')
    const head = bytes.toString('utf8', at, at + headBytes)
    if (headBytes === -1 || !LINE_END.test(head) || parts.length === PARTS_MAX) throw unreadable()
    const begin = at + headBytes + 4
    at = endOf(edge, bytes, begin)
    parts.push(partOf(head, bytes.subarray(begin, at - edge.length)))
  }
  return parts
}

/** Blanks may follow a boundary. */
const LINE_END = /^[ \t]*\r\n/

function endOf(edge: string, bytes: Buffer, from: number): number {
  const found = bytes.indexOf(edge, from, 'latin1')
  if (found === -1) throw unreadable()
  return found + edge.length
}

const DISPOSITION = /\r\ncontent-disposition:[ \t]*form-data[ \t]*(;[^\r\n]*)/i
const NAME = /;[ \t]*name="([^"]*)"/i
const FILE_NAME = /;[ \t]*filename\*?=(?:"([^"]*)"|([^\s;]*))/i

function partOf(head: string, content: Buffer): FormPart {
  const [, parameters = ''] = DISPOSITION.exec(head) ?? []
  const name = NAME.exec(parameters)?.[1]
  if (name === undefined) throw unreadable()
  const file = FILE_NAME.exec(parameters)
  if (file === null) return { name: unescaped(name), value: content.toString() }
  const filename = unescaped(file[1] ?? file[2] ?? '')
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { name: unescaped(name), value: { filename, bytes: content.length, sha256 }, file: content }
}

/** Clients escape a quote, a CR and an LF in names. */
function unescaped(name: string): string {
  return name.replaceAll(/%(?:22|0d|0a)/gi, decodeURIComponent)
}

function boundaryIn(type: string): string {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw unreadable()
  return boundary
}

function unreadable(): ApiError {
  return new ApiError('invalid_parameter', { message: 'The form cannot be read.' })
}
