import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import type { ProviderMembers } from '../../../app/providers/provider-view.ts'
import { PROVIDER } from '../../../app/views/installation.ts'
import { loadYaml } from '../../../config/yaml/yaml-tree.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { closestName } from '../../../domain/closest-name.ts'
import { FileError } from '../../errors.ts'
import { readText } from '../../parse/read-text.ts'
import type { Verb } from '../../verb.ts'

interface NamedMembers {
  name: string
  members: ProviderMembers
}

interface AddOptions {
  preset?: string
  name?: string
  baseUrl?: string
  keyStdin?: true
}

export const providerAdd: Verb = {
  path: 'provider add',
  summary:
    'Add providers to the store: a preset, or those of a file, which is one provider with its name or a "providers:" map as in sluice.yaml. A running gateway uses them within 5 seconds.',
  example: 'sluice provider add --preset openai --key-stdin',
  next: 'sluice provider test <name>',
  define(command, { operate, print }) {
    command
      .argument('[file]', 'the providers, in YAML or JSON; variables are not filled in')
      .addOption(new Option('--preset <name>', 'a common vendor, as "sluice init" lists them'))
      .addOption(new Option('--name <name>', "its name, in place of the preset's"))
      .addOption(new Option('--base-url <url>', "its address, in place of the preset's"))
      .addOption(new Option('--key-stdin', 'read its key from standard input'))
      .action(async (file: string | undefined, options: AddOptions) => {
        const found = file === undefined ? [await presetOf(options)] : readProviders(file)
        const wanted = options.keyStdin === undefined ? found : withKey(found)
        await operate(async (operator) => {
          const added = []
          for (const { name, members } of wanted)
            added.push(await operator.addProvider({ name, members, state: 'active' }))
          print({
            json: added.map(PROVIDER.present),
            text: added
              .map(({ name }) => `The provider ${name} is added. A running gateway uses it within 5 seconds.`)
              .join('\n'),
          })
        })
      })
  },
}

async function presetOf({ preset: wanted, name, baseUrl }: AddOptions): Promise<NamedMembers> {
  if (wanted === undefined)
    throw new ApiError('invalid_parameter', {
      message: 'Name a file, or a vendor with --preset: "sluice init" lists them.',
    })
  const { loadPresets } = await import('../../../config/presets/presets.ts')
  const presets = loadPresets()
  const preset = presets.find((each) => each.name === wanted)
  if (preset === undefined) {
    const names = presets.map((each) => each.name)
    const meant = closestName(wanted, names)
    throw new ApiError('invalid_parameter', {
      message: `There is no preset "${wanted}". ${meant === undefined ? `They are ${names.join(', ')}.` : `Did you mean ${meant}?`}`,
    })
  }
  const { api_key: key, ...members } = preset.plain.provider
  // If the vendor needs a key, the preset has a variable in place of it, which the store cannot fill in.
  const own: ProviderMembers = preset.variable === undefined ? { api_key: key } : {}
  return {
    name: name ?? preset.name,
    members: { ...members, ...own, ...(baseUrl !== undefined && { base_url: baseUrl }) },
  }
}

export const providerUpdate: Verb = {
  path: 'provider update',
  summary:
    'Change a provider of the store. Members of the file replace the old ones as a whole, and others stay. Calls that run end with the old settings.',
  example: 'sluice provider update openai --key-stdin',
  next: 'sluice provider test <name>',
  define(command, { operate, print }) {
    command
      .argument('<name>', 'the provider')
      .argument('[file]', 'the changed members, in YAML or JSON')
      .addOption(new Option('--base-url <url>', 'its new address'))
      .addOption(new Option('--key-stdin', 'read its new key from standard input'))
      .action(async (name: string, file: string | undefined, { baseUrl, keyStdin }: AddOptions) => {
        const [found] = file === undefined ? [{ name, members: {} }] : readProviders(file, name)
        const [changed] = keyStdin === undefined ? [found] : withKey(found === undefined ? [] : [found])
        const members = { ...changed?.members, ...(baseUrl !== undefined && { base_url: baseUrl }) }
        await operate(async (operator) => {
          const provider = await operator.updateProvider({ name, members, state: undefined })
          print({
            json: PROVIDER.present(provider),
            text: `The provider ${name} is changed. A running gateway uses the change within 5 seconds.`,
          })
        })
      })
  },
}

/** Reads one provider with its `name`, or a `providers:` map. The operator checks the members. */
function readProviders(file: string, known?: string): NamedMembers[] {
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

function withKey(providers: readonly NamedMembers[]): NamedMembers[] {
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
