/** A body of about so many bytes that is costly in a way of its own. */
export interface BodyShape {
  name: string
  endpoint: 'messages' | 'responses' | 'count'
  /** Dialect of its vendor: the client's, or another one. */
  vendor: 'messages' | 'responses' | 'chat'
  /** Statuses for a body with at most 262,144 values, and with more. */
  status: { few: number; many: number }
  make(bytes: number): Buffer
}

type Members = Record<string, unknown>
type Ends = number | BodyShape['status']

/** Fine, unless it is so large that it holds too many values. */
const MANY: Ends = { few: 200, many: 400 }

/** Forty shapes for every endpoint and every dialect of a vendor. A body gets the vendor's model when it is sent. */
export const BODY_SHAPES: readonly BodyShape[] = [
  message('plain text', 'messages', (bytes) => says('lorem ipsum '.repeat(bytes / 12))),
  message('plain text', 'chat', (bytes) => says('lorem ipsum '.repeat(bytes / 12))),
  message('line breaks', 'responses', (bytes) => says('\n'.repeat(bytes / 2))),
  message('quotes', 'chat', (bytes) => says('"'.repeat(bytes / 2))),
  message('backslashes', 'messages', (bytes) => says('\\'.repeat(bytes / 2))),
  message('control characters', 'chat', (bytes) => says('\u0001'.repeat(bytes / 6))),
  message('characters of three bytes', 'chat', (bytes) => says('漢'.repeat(bytes / 3))),
  message('characters of four bytes', 'responses', (bytes) => says('😀'.repeat(bytes / 4))),
  message('one image', 'chat', (bytes) => says([image(bytes)])),
  message('images', 'responses', (bytes) => says(filled(bytes, image(64 * 1024)))),
  message('blocks', 'chat', (bytes) => says(filled(bytes, { type: 'text', text: 'a' })), MANY),
  message('turns', 'chat', (bytes) => ({ messages: turns(bytes) }), MANY),
  message('turns', 'responses', (bytes) => ({ messages: turns(bytes) }), MANY),
  message('turns', 'messages', (bytes) => ({ messages: turns(bytes) }), MANY),
  message('system blocks', 'chat', (bytes) => ({ system: filled(bytes, { type: 'text', text: 'a' }) }), MANY),
  message('tools', 'chat', (bytes) => ({ tools: tools(bytes) }), MANY),
  message('tools', 'messages', (bytes) => ({ tools: tools(bytes) }), MANY),
  message('a schema of objects', 'chat', (bytes) => ({ tools: [tool({ enum: filled(bytes, {}) })] }), 400),
  message(
    'long numbers',
    'chat',
    (bytes) => ({ tools: [tool({ enum: filled(bytes, 0.1234567890123456) })] }),
    MANY,
  ),
  message('an unknown field of lists', 'messages', (bytes) => ({ extra: filled(bytes, []) }), 400),
  message(
    'an unknown field of models',
    'messages',
    (bytes) => ({ extra: filled(bytes, { model: 'a/b' }) }),
    MANY,
  ),
  message('nested lists', 'chat', (bytes) => ({ extra: filled(bytes, nested(60)) }), 400),
  message('too deep', 'chat', (bytes) => ({ extra: nested(bytes / 2) }), 400),
  message('names of members', 'chat', (bytes) => ({ extra: named(bytes) }), MANY),
  message('one long name', 'chat', (bytes) => ({ extra: { ['n'.repeat(bytes)]: 1 } })),
  message('stop sequences', 'responses', (bytes) => ({ stop_sequences: filled(bytes, 'stop here') }), 400),
  message('a result of a tool', 'chat', (bytes) => ({ messages: results('a'.repeat(bytes)) })),
  raw('blanks', (bytes) => `${' '.repeat(bytes)}${json({})}`, 200),
  raw('one number', (bytes) => json({}).replace('}', `,"extra":${'1'.repeat(bytes)}}`), 200),
  raw('half of it', (bytes) => json(says('a'.repeat(bytes))).slice(0, -9), 400),
  raw('a wrong end', (bytes) => `${json(says('a'.repeat(bytes)))}]`, 400),
  raw('two models', (bytes) => json(says('a'.repeat(bytes))).replace('{', '{"model":"a/b",'), 400),
  raw('brackets', (bytes) => '['.repeat(bytes), 400),
  raw('latin1', (bytes) => Buffer.from(json(says('é'.repeat(bytes))), 'latin1'), 400),
  response('items', 'chat', (bytes) => ({ input: filled(bytes, { role: 'user', content: 'a' }) }), MANY),
  response('items', 'responses', (bytes) => ({ input: filled(bytes, { role: 'user', content: 'a' }) }), MANY),
  response('calls', 'messages', (bytes) => ({ input: calls(bytes) }), MANY),
  response('instructions', 'messages', (bytes) => ({ instructions: 'Be brief. '.repeat(bytes / 10) })),
  count('plain text', 'chat', (bytes) => says('lorem ipsum '.repeat(bytes / 12))),
  count('turns', 'messages', (bytes) => ({ messages: turns(bytes) }), MANY),
]

type Make = (bytes: number) => Members

function message(name: string, vendor: BodyShape['vendor'], make: Make, ends: Ends = 200): BodyShape {
  return shape('messages', name, vendor, (bytes) => json(make(bytes)), ends)
}

function count(name: string, vendor: BodyShape['vendor'], make: Make, ends: Ends = 200): BodyShape {
  return shape('count', name, vendor, (bytes) => json(make(bytes)), ends)
}

function raw(name: string, make: (bytes: number) => string | Buffer, ends: Ends): BodyShape {
  return shape('messages', name, 'chat', make, ends)
}

function response(name: string, vendor: BodyShape['vendor'], make: Make, ends: Ends = 200): BodyShape {
  return shape(
    'responses',
    name,
    vendor,
    (bytes) => JSON.stringify({ model: MODEL, input: 'hi', ...make(bytes) }),
    ends,
  )
}

function shape(
  endpoint: BodyShape['endpoint'],
  name: string,
  vendor: BodyShape['vendor'],
  make: (bytes: number) => string | Buffer,
  ends: Ends,
): BodyShape {
  const status = typeof ends === 'number' ? { few: ends, many: ends } : ends
  return { name, endpoint, vendor, status, make: (bytes) => Buffer.from(make(bytes)) }
}

/** Placeholder for the vendor's model. */
export const MODEL = 'the/model'

function json(members: Members): string {
  return JSON.stringify({ model: MODEL, max_tokens: 16, ...says('hi'), ...members })
}

function says(content: unknown): Members {
  return { messages: [{ role: 'user', content }] }
}

function filled(bytes: number, piece: unknown): unknown[] {
  return Array(Math.ceil(bytes / (JSON.stringify(piece).length + 1))).fill(piece)
}

function turns(bytes: number): unknown[] {
  return filled(bytes, { role: 'user', content: 'a' })
}

function results(content: string): unknown[] {
  return [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
  ]
}

function calls(bytes: number): unknown[] {
  const call = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' }
  const output = { type: 'function_call_output', call_id: 'call_1', output: 'seen' }
  return filled(bytes, [call, output]).flat()
}

function tool(schema: object): object {
  return { name: 'look', input_schema: { type: 'object', ...schema } }
}

function tools(bytes: number): unknown[] {
  return filled(bytes, tool({})).map((one, at) => ({ ...Object(one), name: `look_${at}` }))
}

function named(bytes: number): Members {
  return Object.fromEntries(filled(bytes, '123456:1').map((_one, at) => [`m${at}`, 1]))
}

/** Returns arrays in arrays, at most 5,000 deep, because a deeper value exceeds the stack. */
function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < Math.min(depth, 5_000); level += 1) value = [value]
  return value
}

/** Returns an image block that begins like a PNG, with a size. */
function image(bytes: number): object {
  const data = Buffer.alloc(Math.ceil(bytes / 4) * 3, 'an image of nothing')
  data.write('89504e470d0a1a0a0000000d4948445200000100000001000802000000', 'hex')
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: data.toString('base64') } }
}
