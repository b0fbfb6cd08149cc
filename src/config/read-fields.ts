import type { ConfigProblem } from './config-error.ts'
import type { Kind } from './settings/kinds/kind.ts'

/** Description of one named value of the environment or of the providers file. */
export interface ConfigField<Value = unknown> {
  kind: Kind<Value>
  /** Text that `kind` parses, as an operator would write it. */
  default?: string
  required?: true
  /** One or two sentences for docs/configuration.md. */
  meaning: string
}

export type ConfigFields = Record<string, ConfigField>

type ValueOf<F> =
  F extends ConfigField<infer Value>
    ? F extends { default: string } | { required: true }
      ? Value
      : Value | undefined
    : never

export type Values<F extends ConfigFields> = { [Name in keyof F]: ValueOf<F[Name]> }

/** `faulty`: the source has reported a fault of the value. */
export type Found = { text: string } | 'absent' | 'faulty'

export interface Source {
  find(name: string): Found
  /** Returns the text as an operator wrote it, for messages. Secrets are never shown. */
  written(name: string): string
  label(name: string): string
  report(fault: ConfigProblem): void
}

/** Reads all fields and reports every fault. Returns undefined when it reported one. */
export function readFields<F extends ConfigFields>(fields: F, source: Source): Values<F> | undefined {
  const readings = Object.entries(fields).map(
    ([name, field]) => [name, readField(name, field, source)] as const,
  )
  if (readings.some(([, reading]) => reading === 'faulty')) return undefined
  const values = readings.map(([name, reading]) => [name, reading === 'faulty' ? undefined : reading.value])
  // `Object.fromEntries` loses the type of each name; `readField` has checked the values.
  return Object.fromEntries(values) as Values<F>
}

function readField(name: string, field: ConfigField, source: Source): { value: unknown } | 'faulty' {
  const found = source.find(name)
  if (found === 'faulty') return 'faulty'
  const text = found === 'absent' ? field.default : found.text
  if (text === undefined) {
    if (field.required === undefined) return { value: undefined }
    source.report({ setting: source.label(name), wrong: 'it is missing', fix: `Use ${field.kind.takes}.` })
    return 'faulty'
  }
  const parsed = text === text.trim() ? field.kind.parse(text) : { wrong: 'starts or ends with white space' }
  if ('value' in parsed) return parsed
  source.report({
    setting: source.label(name),
    wrong: `${field.kind.secret ? 'the value' : quote(source.written(name))} ${parsed.wrong}`,
    fix:
      parsed.fix ??
      `Use ${field.kind.takes}${field.default === undefined ? '' : ` (default: ${field.default})`}.`,
  })
  return 'faulty'
}

const SHOWN_CHARACTERS_MAX = 80

/** Hides the credentials and the query of an address. */
function quote(written: string): string {
  const shown = written.replace(/\/\/.*@/s, '//...@').replace(/\?.*$/s, '?...')
  const short = shown.length > SHOWN_CHARACTERS_MAX ? `${shown.slice(0, SHOWN_CHARACTERS_MAX)}...` : shown
  return JSON.stringify(short)
}
