import type { ConfigProblem } from '../config-error.ts'
import { oneOf } from '../settings/kinds/text.ts'
import {
  type FileReading,
  readMapping,
  readMappingFields,
  refuseUnknownKeys,
  reportAt,
} from '../yaml/mapping.ts'
import { asWritten } from '../yaml/placeholders.ts'
import type { ProviderSection } from '../yaml/section.ts'
import { parseYaml } from '../yaml/yaml-tree.ts'
import type { AnyProvider } from './provider.ts'

export type DriverReaders<Provider> = Readonly<
  Record<string, { read(section: ProviderSection): Provider | undefined }>
>

interface ProvidersFile<Provider> {
  fileName: string
  source: string
  environment: Readonly<Record<string, string | undefined>>
  drivers: DriverReaders<Provider>
  report(fault: ConfigProblem): void
}

/** Reads the providers and reports every fault. Providers with a fault are left out. */
export function readProvidersFile<Provider extends AnyProvider>(input: ProvidersFile<Provider>): Provider[] {
  const { fileName, source, environment, drivers, report } = input
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
    .map(([name, value]) => readProvider(name, value, { ...reading, drivers }))
    .filter((provider) => provider !== undefined)
}

/** Reads one provider from JSON, without filling in variables. Paths in messages begin below the provider. */
export function readProviderMembers<Provider extends AnyProvider>(
  name: string,
  members: Readonly<Record<string, unknown>>,
  { drivers, report }: Pick<ProvidersFile<Provider>, 'drivers' | 'report'>,
): Provider | undefined {
  const tree = { root: null, place: (path: readonly string[]) => path.slice(2).join('.') || 'name' }
  return readProvider(name, asTexts(members), { tree, environment: undefined, report, drivers })
}

/** Converts numbers and booleans to texts, from which fields are read. */
function asTexts(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(asTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asTexts(item)]))
}

function readProvider<Provider>(
  name: string,
  value: unknown,
  { drivers, ...reading }: FileReading & { drivers: DriverReaders<Provider> },
): Provider | undefined {
  const path = ['providers', name]
  if (!/^[A-Za-z][\w.-]*$/.test(name)) {
    return reportAt(path, reading, {
      wrong: `${JSON.stringify(asWritten(name))} is not a provider name`,
      fix: 'Use letters, digits, dots, hyphens and underscores, beginning with a letter.',
    })
  }
  const mapping = readMapping(value, path, reading)
  if (mapping === undefined) return undefined
  const kind = oneOf(Object.keys(drivers))
  const field = { kind, required: true, meaning: 'Which API the provider speaks.' } as const
  const driver = readMappingFields({ driver: field }, { mapping, path, reading })?.driver
  return driver === undefined ? undefined : drivers[driver]?.read({ name, mapping, path, reading })
}
