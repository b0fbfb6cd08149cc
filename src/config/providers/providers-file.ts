import type { Fault } from '../config-error.ts'
import { oneOf } from '../kinds/one-of.ts'
import { DRIVER_READERS } from './driver-readers.ts'
import { type FileReading, readMapping, readMappingFields, refuseUnknownKeys } from './mapping.ts'
import { asWritten } from './placeholders.ts'
import type { Provider } from './provider.ts'
import { parseYaml } from './yaml-tree.ts'

interface ProvidersFile {
  /** For messages. */
  fileName: string
  source: string
  environment: Readonly<Record<string, string | undefined>>
  report(fault: Fault): void
}

/** Reads the providers and reports every fault; providers with one are left out. */
export function readProvidersFile({ fileName, source, environment, report }: ProvidersFile): Provider[] {
  if (source === '') return []
  const parsed = parseYaml(source, fileName)
  if ('faults' in parsed) {
    parsed.faults.forEach(report)
    return []
  }
  const reading = { tree: parsed.tree, environment, report }
  const file = readMapping(parsed.tree.root, [], reading)
  if (file === undefined) return []
  refuseUnknownKeys(file, { path: [], known: ['providers'], reading })
  const providers = readMapping(file.get('providers'), ['providers'], reading) ?? new Map()
  return [...providers]
    .map(([name, value]) => readProvider(name, value, reading))
    .filter((provider) => provider !== undefined)
}

const DRIVER_FIELD = {
  driver: {
    kind: oneOf(['vendor-a', 'vendor-b', 'text']),
    required: true,
    meaning: 'Which API the provider speaks.',
  },
} as const

function readProvider(name: string, value: unknown, reading: FileReading): Provider | undefined {
  const path = ['providers', name]
  if (!/^[A-Za-z][\w.-]*$/.test(name)) {
    reading.report({
      setting: reading.tree.place(path),
      wrong: `${JSON.stringify(asWritten(name))} is not a provider name`,
      fix: 'Use letters, digits, dots, hyphens and underscores, beginning with a letter.',
    })
    return undefined
  }
  const mapping = readMapping(value, path, reading)
  if (mapping === undefined) return undefined
  const driver = readMappingFields(DRIVER_FIELD, { mapping, path, reading })?.driver
  return driver === undefined ? undefined : DRIVER_READERS[driver]({ name, mapping, path, reading })
}
