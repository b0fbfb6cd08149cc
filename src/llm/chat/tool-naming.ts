import type { Tool } from '../hub/text-request.ts'
import type { ToolNames } from '../hub/wire.ts'

interface OwnName {
  name: string
  namespace: string | undefined
}

/**
 * Names this wire takes for tools: it has no namespaces, and fewer letters than other dialects. A tool keeps its name
 * where it can, and has the same one throughout a request, also in calls of tools that are no longer offered.
 */
export class ToolNaming {
  readonly #given = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #restored = new Map<string, OwnName & { input: 'json' | 'text' }>()

  constructor(tools: readonly Tool[]) {
    for (const { name, namespace } of tools)
      if (namespace === undefined && FITTING.test(name)) this.#taken.add(name)
    for (const { name, namespace, input } of tools) this.nameOf({ name, namespace }, input.kind)
  }

  /** What the vendor calls by another name than the client, and what takes free text. */
  get restored(): ToolNames {
    return this.#restored
  }

  nameOf({ name, namespace }: OwnName, input: 'json' | 'text'): string {
    const key = JSON.stringify([namespace, name])
    const known = this.#given.get(key)
    if (known !== undefined) return known
    const keepsName = namespace === undefined && FITTING.test(name)
    const given = keepsName ? name : this.#free(namespace === undefined ? name : `${namespace}__${name}`)
    this.#given.set(key, given)
    this.#taken.add(given)
    if (!keepsName || input === 'text') this.#restored.set(given, { name, namespace, input })
    return given
  }

  /** The beginning stays readable; the digest of the whole keeps names apart that begin alike. */
  #free(name: string): string {
    if (FITTING.test(name) && !this.#taken.has(name)) return name
    const tail = `_${digestOf(name)}`
    const head = name
      .replace(/[^a-zA-Z0-9_-]/g, '_')
      .slice(0, NAME_LENGTH_MAX - tail.length - COUNT_LENGTH_MAX)
    let given = `${head}${tail}`
    for (let count = 2; this.#taken.has(given); count += 1) given = `${head}${tail}_${count}`
    return given
  }
}

const NAME_LENGTH_MAX = 64
const COUNT_LENGTH_MAX = 5
const FITTING = /^[a-zA-Z0-9_-]{1,64}$/

/** FNV-1a: small, and the same in every process, so that a vendor's prompt cache sees the same names again. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
