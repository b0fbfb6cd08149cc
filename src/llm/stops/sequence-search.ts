export interface SequenceSearch {
  /** More text. The first sequence that is complete in it, and where in this text it ends; of two, the longer. */
  feed(text: string): { sequence: string; end: number } | undefined
  /** So many last characters could be the beginning of a sequence. */
  readonly heldLength: number
  /** The text so far is over. */
  reset(): void
}

/**
 * Looks for all sequences at once in text that comes in pieces, each character seen once, however many sequences there
 * are (Aho, Corasick): where the text stands is the longest beginning of a sequence that it ends with.
 */
export function createSequenceSearch(sequences: readonly string[]): SequenceSearch {
  const tree = new SequenceTree(sequences)
  let node = ROOT
  return {
    feed(text) {
      for (let at = 0; at < text.length; at += 1) {
        node = tree.step(node, text.charCodeAt(at))
        const sequence = tree.found[node]
        if (sequence !== undefined) return { sequence, end: at + 1 }
      }
      return undefined
    },
    get heldLength() {
      return tree.depths[node] ?? 0
    },
    reset() {
      node = ROOT
    },
  }
}

const ROOT = 0

/** Every beginning of every sequence is a node; the root is the empty one. */
class SequenceTree {
  /** How long each beginning is. */
  readonly depths = [0]
  /** The longest sequence that each beginning ends with. */
  readonly found: (string | undefined)[] = [undefined]
  /** For each beginning the longest shorter one that it ends with too. */
  readonly #fallbacks = [ROOT]
  readonly #children = new Map<number, number>()

  constructor(sequences: readonly string[]) {
    /** The shorter ones first: a fallback is shorter than what falls back to it. */
    const levels: Edge[][] = []
    for (const sequence of sequences) this.#plant(sequence, levels)
    for (const level of levels) for (const edge of level) this.#link(edge)
  }

  step(from: number, unit: number): number {
    for (let node = from; ; node = this.#fallbacks[node] ?? ROOT) {
      const child = this.#children.get(placeOf(node, unit))
      if (child !== undefined) return child
      if (node === ROOT) return ROOT
    }
  }

  #plant(sequence: string, levels: Edge[][]): void {
    if (sequence === '') return
    let parent = ROOT
    for (let at = 0; at < sequence.length; at += 1) {
      const unit = sequence.charCodeAt(at)
      let child = this.#children.get(placeOf(parent, unit))
      if (child === undefined) {
        child = this.depths.push(at + 1) - 1
        this.#children.set(placeOf(parent, unit), child)
        const level = levels[at] ?? []
        level.push({ parent, unit, child })
        levels[at] = level
      }
      parent = child
    }
    this.found[parent] = sequence
  }

  #link({ parent, unit, child }: Edge): void {
    const fallback = parent === ROOT ? ROOT : this.step(this.#fallbacks[parent] ?? ROOT, unit)
    this.#fallbacks[child] = fallback
    this.found[child] ??= this.found[fallback]
  }
}

interface Edge {
  parent: number
  unit: number
  child: number
}

function placeOf(node: number, unit: number): number {
  return node * 0x1_0000 + unit
}
