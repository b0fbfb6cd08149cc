import type { ToolNames } from '../canonical/codec.ts'
import type { Tool } from '../canonical/request.ts'
import { isJsonObject } from '../json/json-object.ts'
import { digestOf, sanitizeName } from '../values/names.ts'
import { isNil } from '../values/values.ts'

interface ClientToolName {
  name: string
  namespace: string | undefined
}

/**
 * Names of tools for a vendor. The name of a tool in a namespace becomes `namespace__name`, and unusual or long names
 * are shortened. Names are unique, and a tool has the same name throughout a request, also in calls of tools that are
 * no longer offered.
 */
export class ToolNaming {
  readonly #given = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #restored = new Map<string, ClientToolName & { input: 'json' | 'text' }>()

  constructor(tools: readonly Tool[]) {
    for (const tool of tools) if (isFitting(tool)) this.#taken.add(tool.name)
    for (const tool of tools) this.nameOf(tool, tool.input.kind)
  }

  /** Tools whose name differs for the vendor, and tools that take free text. */
  get restored(): ToolNames {
    return this.#restored
  }

  /** Every tool that was offered or called, by the vendor's name. */
  get all(): Iterable<string> {
    return this.#given.values()
  }

  nameOf(own: ClientToolName, input: 'json' | 'text'): string {
    const { name, namespace } = own
    const key = JSON.stringify([namespace, name])
    const known = this.#given.get(key)
    if (known !== undefined) return known
    const keepsName = isFitting(own)
    const given = keepsName ? name : this.#free(namespace === undefined ? name : `${namespace}__${name}`)
    this.#given.set(key, given)
    this.#taken.add(given)
    if (!keepsName || input === 'text') this.#restored.set(given, { name, namespace, input })
    return given
  }

  /** The beginning stays readable; the digest of the whole name separates names that begin alike. */
  #free(name: string): string {
    if (FITTING.test(name) && !this.#taken.has(name)) return name
    const tail = `_${digestOf(name)}`
    const head = sanitizeName(name, NAME_LENGTH_MAX - tail.length - COUNT_LENGTH_MAX)
    let given = `${head}${tail}`
    for (let count = 2; this.#taken.has(given); count += 1) given = `${head}${tail}_${count}`
    return given
  }
}

const NAME_LENGTH_MAX = 64
const COUNT_LENGTH_MAX = 5
const FITTING = /^[a-zA-Z0-9_-]{1,64}$/

function isFitting({ name, namespace }: ClientToolName): boolean {
  return namespace === undefined && FITTING.test(name)
}

/** Whether the model itself made the call. Other dialects cannot express the calls of a vendor's program. */
export function calledDirectly(caller: unknown): boolean {
  return isNil(caller) || (isJsonObject(caller) && caller.type === 'direct')
}
