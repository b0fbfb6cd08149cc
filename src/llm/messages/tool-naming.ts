import type { Tool } from '../hub/text-request.ts'
import type { ToolNames } from '../hub/wire.ts'

const NAME_LENGTH_MAX = 64
const FITTING = /^[a-zA-Z0-9_-]{1,64}$/

interface OwnName {
  name: string
  namespace: string | undefined
  input: 'json' | 'text'
}

/**
 * Names this wire takes: namespaces are flattened to `namespace__name`, odd characters and long names are made to fit,
 * and no two tools get the same. A tool keeps its name wherever it appears in a request, also in calls of earlier turns
 * after it is no longer offered.
 */
export class ToolNaming {
  readonly #given = new Map<string, string>()
  readonly #changed = new Map<string, OwnName>()
  readonly #taken: Set<string>

  constructor(tools: readonly Tool[]) {
    this.#taken = new Set(tools.filter(isFitting).map(({ name }) => name))
  }

  /** Of tools that the vendor knows by another name, or whose free text it gets wrapped. */
  get toolNames(): ToolNames {
    return this.#changed
  }

  /** Every name that was asked for, as the vendor knows it. */
  get all(): Iterable<string> {
    return this.#given.values()
  }

  nameOf(own: OwnName): string {
    const key = JSON.stringify([own.namespace ?? null, own.name])
    const known = this.#given.get(key)
    if (known !== undefined) return known
    const given = isFitting(own) ? own.name : this.#free(own)
    this.#given.set(key, given)
    this.#taken.add(given)
    if (given !== own.name || own.input === 'text') this.#changed.set(given, own)
    return given
  }

  #free({ name, namespace }: OwnName): string {
    const flat = namespace === undefined ? name : `${namespace}__${name}`
    const fitting = flat.replace(/[^a-zA-Z0-9_-]/g, '_') || '_'
    let given = fitting.slice(0, NAME_LENGTH_MAX)
    for (let count = 2; this.#taken.has(given); count += 1) {
      const tail = `_${count}`
      given = fitting.slice(0, NAME_LENGTH_MAX - tail.length) + tail
    }
    return given
  }
}

function isFitting({ name, namespace }: { name: string; namespace: string | undefined }): boolean {
  return namespace === undefined && FITTING.test(name)
}
