import type { Tool } from '../hub/text-request.ts'
import type { ToolNames } from '../hub/wire.ts'

const NAME_LENGTH_MAX = 64
const FITTING = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * Names this wire takes for tools whose own names it would not: other dialects allow longer ones. A name stays the same
 * wherever it appears in a request, also in calls of tools that are no longer offered.
 */
export class ToolNaming {
  readonly #given = new Map<string, string>()
  readonly #own = new Map<string, { name: string; namespace: undefined; input: 'json' | 'text' }>()
  readonly #taken: Set<string>

  constructor(tools: readonly Tool[]) {
    this.#taken = new Set(tools.map(({ name }) => name).filter((name) => FITTING.test(name)))
  }

  /** What the vendor calls by another name than the client. */
  get restored(): ToolNames {
    return this.#own
  }

  nameOf(name: string, input: 'json' | 'text'): string {
    if (FITTING.test(name)) return name
    const known = this.#given.get(name)
    if (known !== undefined) return known
    const given = this.#free(name)
    this.#given.set(name, given)
    this.#taken.add(given)
    this.#own.set(given, { name, namespace: undefined, input })
    return given
  }

  /** The beginning stays readable; the digest of the whole keeps names apart that begin alike. */
  #free(name: string): string {
    const tail = `_${digestOf(name)}`
    const head = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, NAME_LENGTH_MAX - tail.length - 3)
    let given = `${head}${tail}`
    for (let count = 2; this.#taken.has(given); count += 1) given = `${head}${tail}_${count}`
    return given
  }
}

/** FNV-1a: small, and the same in every process. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}
