import { readFileSync } from 'node:fs'
import type { ProviderMembers } from '../../../app/providers/provider-view.ts'
import { loadYaml } from '../../../config/yaml/yaml-tree.ts'
import { FileError } from '../../errors.ts'
import { readText } from '../../parse/read-text.ts'

export interface NamedMembers {
  name: string
  members: ProviderMembers
}

/** Reads one provider with its `name`, or a `providers:` map. The operator checks the members. */
export function readProviders(file: string, known?: string): NamedMembers[] {
  const source = readText(file, 'Name a file that this user may read.')
  const { parse } = loadYaml()
  const root = objectOf(parsed(file, () => parse(source)))
  if (root === undefined) throw wrong(file)
  const map = objectOf(root.providers)
  if (map !== undefined && Object.keys(root).length === 1)
    return Object.entries(map).map(([name, members]) => ({ name, members: objectOf(members) ?? {} }))
  const { name = known, ...members } = root
  if (typeof name !== 'string') throw wrong(file)
  return [{ name, members }]
}

/** Gives every provider the key of standard input. */
export function withKey(providers: readonly NamedMembers[]): NamedMembers[] {
  // File descriptor 0 also works where standard input is a socket, which cannot be opened by a path.
  const key = readFileSync(0, 'utf8').trim()
  return providers.map(({ name, members: { api_keys: _, ...members } }) => ({
    name,
    members: { ...members, api_key: key },
  }))
}

function parsed(file: string, parse: () => unknown): unknown {
  try {
    return parse()
  } catch {
    throw wrong(file)
  }
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined
}

function wrong(file: string): FileError {
  return new FileError(file, {
    wrong: 'it has neither one provider with its name nor a "providers:" map',
    fix: 'Write the members of a provider as in sluice.yaml, with a "name:" beside them.',
  })
}
