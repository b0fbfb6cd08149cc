import type { SandboxPart } from '../part.ts'
import type { Fault, FaultRule } from './fault.ts'

export type ReadRule = { rule: Omit<FaultRule, 'id'> & { id?: string } } | { problem: string; param: string }

/** Reads the rule of a developer, and describes the first mistake with its position and the right form. */
export function readFaultRule(input: unknown, parts: readonly SandboxPart[]): ReadRule {
  try {
    return { rule: readRule(input, parts) }
  } catch (failure) {
    if (failure instanceof Problem) return { problem: failure.message, param: failure.param }
    throw failure
  }
}

class Problem extends Error {
  readonly param: string

  constructor(param: string, message: string) {
    super(message)
    this.param = param
  }
}

type Fields = Record<string, unknown>

function readRule(input: unknown, parts: readonly SandboxPart[]): Omit<FaultRule, 'id'> & { id?: string } {
  const fields = readObject(input, '')
  refuseOthers(fields, ['id', 'part', 'operation', 'times', 'after', 'fault'], '')
  const rule: Omit<FaultRule, 'id'> & { id?: string } = { fault: readFault(fields.fault) }
  if (fields.id !== undefined) rule.id = readId(fields.id)
  if (fields.part !== undefined) {
    rule.part = readOneOf(
      fields.part,
      'part',
      parts.map(({ name }) => name),
    )
  }
  if (fields.operation !== undefined) {
    const routes = parts.filter(({ name }) => name === (rule.part ?? name)).flatMap(({ routes }) => routes)
    rule.operation = readOneOf(fields.operation, 'operation', [
      ...new Set(routes.map(({ operation }) => operation)),
    ])
  }
  if (fields.times !== undefined) rule.times = readInteger(fields.times, 'times', { min: 1, max: 1_000_000 })
  if (fields.after !== undefined) rule.after = readInteger(fields.after, 'after', { min: 0, max: 1_000_000 })
  return rule
}

/** Readers by kind: the fields beside `kind`, and their reader. */
const FAULT_READERS: Record<Fault['kind'], { fields: string[]; read(fields: Fields): Fault }> = {
  status: { fields: ['status', 'body', 'headers'], read: readStatus },
  delay: {
    fields: ['ms'],
    read: ({ ms }) => ({ kind: 'delay', ms: readInteger(ms, 'fault.ms', { min: 0, max: 600_000 }) }),
  },
  hang: { fields: [], read: () => ({ kind: 'hang' }) },
  'lose-answer': { fields: [], read: () => ({ kind: 'lose-answer' }) },
  cut: {
    fields: ['afterBytes'],
    read: ({ afterBytes }) => ({
      kind: 'cut',
      afterBytes: readInteger(afterBytes, 'fault.afterBytes', { min: 0, max: 1_000_000_000 }),
    }),
  },
  garbage: { fields: [], read: () => ({ kind: 'garbage' }) },
  drip: {
    fields: ['bytesPerSecond'],
    read: ({ bytesPerSecond }) => ({
      kind: 'drip',
      bytesPerSecond: readInteger(bytesPerSecond, 'fault.bytesPerSecond', { min: 1, max: 1_000_000 }),
    }),
  },
}

function readFault(input: unknown): Fault {
  const fields = readObject(input, 'fault')
  const kind = readOneOf(fields.kind, 'fault.kind', Object.keys(FAULT_READERS))
  const reader = Object.entries(FAULT_READERS).find(([name]) => name === kind)?.[1]
  if (reader === undefined) throw new Problem('fault.kind', `fault.kind ${kind} is not known.`)
  refuseOthers(fields, ['kind', ...reader.fields], 'fault.')
  return reader.read(fields)
}

function readStatus({ status, body, headers }: Fields): Fault {
  const fault: Fault = {
    kind: 'status',
    status: readInteger(status, 'fault.status', { min: 200, max: 599 }),
  }
  if (body !== undefined) fault.body = body
  if (headers !== undefined) fault.headers = readHeaders(headers)
  return fault
}

/** Headers about the framing of a body belong to the server. */
const FRAMING = ['connection', 'content-length', 'transfer-encoding', 'trailer', 'upgrade']

function readHeaders(input: unknown): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(readObject(input, 'fault.headers'))) {
    const param = `fault.headers.${name}`
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) || FRAMING.includes(name.toLowerCase())) {
      throw new Problem(param, `${param} cannot be set.`)
    }
    if (typeof value !== 'string' || !/^[\t\x20-\x7e]{0,1000}$/.test(value)) {
      throw new Problem(param, `${param} must be a string of plain characters.`)
    }
    headers[name] = value
  }
  return headers
}

function readId(value: unknown): string {
  if (typeof value === 'string' && /^[\w-]{1,64}$/.test(value)) return value
  throw new Problem('id', 'id must be 1 to 64 letters, digits, "-" or "_".')
}

function readObject(value: unknown, param: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new Problem(param, `${param || 'The body'} must be a JSON object.`)
}

function readInteger(value: unknown, param: string, { min, max }: { min: number; max: number }): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw new Problem(param, `${param} must be a whole number from ${min} to ${max}.`)
}

function readOneOf(value: unknown, param: string, known: readonly string[]): string {
  if (typeof value === 'string' && known.includes(value)) return value
  throw new Problem(param, `${param} must be one of: ${known.join(', ') || '(there are none yet)'}.`)
}

function refuseOthers(fields: Fields, known: readonly string[], prefix: string): void {
  const other = Object.keys(fields).find((name) => !known.includes(name))
  if (other === undefined) return
  throw new Problem(`${prefix}${other}`, `${prefix}${other} is not known. Known: ${known.join(', ')}.`)
}
