import errors from 'undici/lib/core/errors.js'

const { InvalidArgumentError, NotSupportedError, RequestContentLengthMismatchError } = errors

export interface WireRequest {
  method: string
  path: string
  /** Frozen headers are checked and written once, and then cached. */
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array | null
  /** Organization of the request; connections that served it are preferred. */
  holder?: string
}

export interface WireRequestHead {
  /** All bytes before the body. */
  text: string
  bodyBytes: number
  /** Whether the connection closes after this request. */
  isLast: boolean
}

interface RequestFields {
  text: string
  host: string | undefined
  length: string | undefined
  isLast: boolean
}

const BAD_PATH = /[^\x21-\xff]/
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const BAD_VALUE = /[^\t\x20-\x7e\x80-\xff]/
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Returns a function that writes heads for one origin, and refuses the requests that undici refuses. */
export function createHeadWriter(origin: URL): (request: WireRequest) => WireRequestHead {
  const known = new WeakMap<object, RequestFields>()
  const { host } = origin
  /** Last valid path, because nearly all requests to an origin have the same path. */
  let goodPath = '/'

  function fieldsOf(headers: WireRequest['headers']): RequestFields {
    const before = known.get(headers)
    if (before !== undefined) return before
    const fields = readFields(headers)
    if (Object.isFrozen(headers)) known.set(headers, fields)
    return fields
  }

  return ({ method, path, headers, body }) => {
    if (path !== goodPath && (!path.startsWith('/') || BAD_PATH.test(path)))
      throw new InvalidArgumentError('invalid request path')
    goodPath = path
    const takesBody = WITH_BODY.has(method)
    if (!takesBody && !TOKEN.test(method)) throw new InvalidArgumentError('invalid request method')
    const fields = fieldsOf(headers)
    const bodyBytes = lengthOf(body)
    if (bodyBytes > 0 && fields.length !== undefined && Number(fields.length) !== bodyBytes)
      throw new RequestContentLengthMismatchError()
    const isLast = fields.isLast || method === 'HEAD'
    const connection = isLast ? 'close' : 'keep-alive'
    const length = takesBody || bodyBytes > 0 ? `content-length: ${bodyBytes}\r\n\r\n` : '\r\n'
    const text = `${method} ${path} HTTP/1.1\r\nhost: ${fields.host ?? host}\r\nconnection: ${connection}\r\n${fields.text}${length}`
    // Some servers read a body after GET or DELETE as the next request.
    return { text, bodyBytes, isLast: isLast || (bodyBytes > 0 && !takesBody) }
  }
}

function lengthOf(body: WireRequest['body']): number {
  if (body === null) return 0
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length
}

function readFields(headers: WireRequest['headers']): RequestFields {
  const fields: RequestFields = { text: '', host: undefined, length: undefined, isLast: false }
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    if (!TOKEN.test(name)) throw new InvalidArgumentError('invalid header key')
    if (BAD_VALUE.test(value)) throw new InvalidArgumentError(`invalid ${name} header`)
    addField(fields, name, value)
  }
  return fields
}

function addField(fields: RequestFields, name: string, value: string): void {
  switch (name.toLowerCase()) {
    case 'host':
      if (fields.host !== undefined) throw new InvalidArgumentError('duplicate host header')
      fields.host = value
      return
    case 'content-length':
      if (fields.length !== undefined) throw new InvalidArgumentError('duplicate content-length header')
      if (!/^\d+$/.test(value)) throw new InvalidArgumentError('invalid content-length header')
      fields.length = value
      return
    case 'connection':
      fields.isLast ||= readConnection(value)
      return
    case 'transfer-encoding':
    case 'keep-alive':
    case 'upgrade':
      throw new InvalidArgumentError(`invalid ${name} header`)
    case 'expect':
      throw new NotSupportedError('expect header not supported')
    default:
      fields.text += `${name}: ${value}\r\n`
  }
}

function readConnection(value: string): boolean {
  const options = value.split(',').map((option) => option.trim().toLowerCase())
  if (!options.every((option) => TOKEN.test(option)))
    throw new InvalidArgumentError('invalid connection header')
  return options.includes('close')
}
