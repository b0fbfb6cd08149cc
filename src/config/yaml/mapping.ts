import { closestName } from '../../domain/closest-name.ts'
import type { ConfigProblem } from '../config-error.ts'
import { type ConfigFields, type Found, readFields, type Values } from '../read-fields.ts'
import { asWritten, fillIn } from './placeholders.ts'
import type { YamlTree } from './yaml-tree.ts'

export interface FileReading {
  tree: YamlTree
  /** undefined: texts must not contain variables. */
  environment: Readonly<Record<string, string | undefined>> | undefined
  report(fault: ConfigProblem): void
}

export type Mapping = ReadonlyMap<string, unknown>

export interface YamlSection {
  mapping: Mapping
  path: readonly string[]
  reading: FileReading
}

/** Returns the members of a mapping, none for an empty value. Reports any other value. */
export function readMapping(
  value: unknown,
  path: readonly string[],
  reading: FileReading,
): Mapping | undefined {
  if (value === null || value === undefined) return new Map()
  if (typeof value === 'object' && !Array.isArray(value)) return new Map(Object.entries(value))
  return reportAt(path, reading, {
    wrong: 'it is not a mapping',
    fix: 'Write it as "name: value" lines, indented by two spaces.',
  })
}

/** Reports a fault at a place of the file. Returns undefined, which a caller without a value can pass on. */
export function reportAt(
  path: readonly string[],
  reading: FileReading,
  fault: Omit<ConfigProblem, 'setting'>,
): undefined {
  reading.report({ setting: reading.tree.place(path), ...fault })
}

/** Reports each member that is not known. Returns false when there was one. */
export function refuseUnknownKeys(
  mapping: Mapping,
  { path, known, reading }: { path: readonly string[]; known: readonly string[]; reading: FileReading },
): boolean {
  const unknown = [...mapping.keys()].filter((key) => !known.includes(key))
  for (const key of unknown) {
    const meant = closestName(key, known)
    const list = `The keys here are ${known.join(', ')}.`
    const fix = meant === undefined ? list : `Did you mean ${meant}? ${list}`
    reportAt([...path, key], reading, { wrong: 'it is not a known key', fix })
  }
  return unknown.length === 0
}

/** Reads the fields of one mapping, with `${NAME}` filled in. Returns undefined when it reported a fault. */
export function readMappingFields<F extends ConfigFields>(
  fields: F,
  { mapping, path, reading }: YamlSection,
): Values<F> | undefined {
  return readFields(fields, {
    find: (name) => findText(mapping.get(name), [...path, name], reading),
    written: (name) => asWritten(String(mapping.get(name))),
    label: (name) => reading.tree.place([...path, name]),
    report: reading.report,
  })
}

function findText(value: unknown, path: readonly string[], reading: FileReading): Found {
  if (value === null || value === undefined || value === '') return 'absent'
  const setting = reading.tree.place(path)
  if (typeof value !== 'string') {
    reading.report({ setting, wrong: 'it is not a plain value', fix: 'Write one value after the colon.' })
    return 'faulty'
  }
  if (reading.environment === undefined && asWritten(value).includes('${')) {
    reading.report({ setting, wrong: 'variables are not filled in here', fix: 'Write the value itself.' })
    return 'faulty'
  }
  const filled = fillIn(value, reading.environment ?? {})
  if ('value' in filled) return { text: filled.value }
  reading.report({ setting, ...filled })
  return 'faulty'
}
