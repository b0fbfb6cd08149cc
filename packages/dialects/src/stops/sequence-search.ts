export interface SequenceSearch {
  /**
   * Searches more text. Returns the first complete sequence, and where it ends in this text. If two sequences end
   * there, the longer one counts.
   */
  feed(text: string): { sequence: string; end: number } | undefined
  /** Number of last characters that could begin a sequence. */
  readonly heldLength: number
  reset(): void
}

/**
 * Searches a text in pieces for all sequences together, and reads each character once (Aho, Corasick): the state is the
 * longest prefix of a sequence at the end of the text.
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

/** Every prefix of every sequence is a node; the root is the empty one. */
class SequenceTree {
  /** Length of each prefix. */
  readonly depths = [0]
  /** The longest sequence that each prefix ends with. */
  readonly found: (string | undefined)[] = [undefined]
  /** The longest shorter prefix that each prefix ends with. */
  readonly #fallbacks = [ROOT]
  readonly #children = new Map<number, number>()

  constructor(sequences: readonly string[]) {
    /** Edges by depth, shorter prefixes first: a fallback is shorter than its node. */
    const levels: TreeEdge[][] = []
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

  #plant(sequence: string, levels: TreeEdge[][]): void {
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

  #link({ parent, unit, child }: TreeEdge): void {
    const fallback = parent === ROOT ? ROOT : this.step(this.#fallbacks[parent] ?? ROOT, unit)
    this.#fallbacks[child] = fallback
    this.found[child] ??= this.found[fallback]
  }
}

interface TreeEdge {
  parent: number
  unit: number
  child: number
}

function placeOf(node: number, unit: number): number {
  return node * 0x1_0000 + unit
}
