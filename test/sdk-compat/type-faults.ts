import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isJsonObject } from '@sluice/dialects/json/json-object'

/** A value of ours, and the type that an SDK gives it: an expression over the names of `SDK_TYPES`. */
export interface Sample {
  title: string
  type: string
  value: unknown
}

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** The namespaces that a sample's type may name. */
const SDK_TYPES: Readonly<Record<string, string>> = {
  Messages: '@anthropic-ai/sdk/resources/messages/messages.js',
  Responses: 'openai/resources/responses/responses.js',
  Completions: 'openai/resources/chat/completions/completions.js',
}

/**
 * Errors of the compiler when each value is assigned to its type, as `<title>: <text of the compiler>`. The types are
 * the SDKs' own, so a newer SDK shows its required members. Unknown members are no error.
 */
export function typeFaults(samples: readonly Sample[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-types-'))
  try {
    writeFileSync(join(folder, 'samples.ts'), [...PREAMBLE, ...samples.map(spell)].join('\n'))
    const { stdout } = spawnSync(process.execPath, [join(MODULES, 'typescript/bin/tsc'), ...OPTIONS], {
      cwd: folder,
      encoding: 'utf8',
    })
    return stdout.split(/\n(?=samples\.ts\()/).flatMap((fault) => nameFault(fault, samples))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const OPTIONS = ['samples.ts', '--noEmit', '--strict', '--skipLibCheck', '--pretty', 'false'].concat(
  ...['--target', 'esnext', '--module', 'nodenext', '--lib', 'esnext,dom'],
)

/** Literals keep their types, and a value that is no literal by itself may have more members than its type. */
const PREAMBLE = [
  ...Object.entries(SDK_TYPES).map(([name, path]) => `import type * as ${name} from '${MODULES}${path}'`),
  'type Writable<T> = T extends object ? { -readonly [Key in keyof T]: Writable<T[Key]> } : T',
  'declare function written<const T>(value: T): Writable<T>',
]

/** Vendors send these as null, and the published specification of responses wants them; the types allow no null. */
const NULL_MEMBERS: ReadonlySet<string> = new Set(['usage', 'user'])
/** Other vendors' members for reasoning: a delta with nothing else is an empty delta to its type. */
const MEMBERS_OF_OTHERS: ReadonlySet<string> = new Set(['reasoning_content', 'reasoning_details'])

/** Text blocks of messages lack this member: its type wants it, if only as null, and a null breaks clients that read a list. */
const LEFT_OUT = { citations: null }

/** Writes a sample in one line, by whose number its faults are found: the compiler counts U+2028 as an end of line. */
function spell({ type, value }: Sample, index: number): string {
  const json = JSON.stringify(value, (key, inner) => {
    if (MEMBERS_OF_OTHERS.has(key) || (inner === null && NULL_MEMBERS.has(key))) return undefined
    return isTextBlock(inner) ? { ...LEFT_OUT, ...inner } : inner
  }).replace(/[\u2028\u2029]/g, ' ')
  return `const written${index} = written(${json}); export const sample${index}: ${type} = written${index}`
}

function isTextBlock(value: unknown): value is object {
  return isJsonObject(value) && value.type === 'text' && typeof value.text === 'string'
}

function nameFault(fault: string, samples: readonly Sample[]): string[] {
  const [, line, words] = /^samples\.ts\((\d+),\d+\): error TS\d+: (.*)$/s.exec(fault.trimEnd()) ?? []
  if (words === undefined) return fault.trim() === '' ? [] : [fault]
  return [`${samples[Number(line) - PREAMBLE.length - 1]?.title}: ${words}`]
}
