import type { Emit } from '../canonical/codec.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { createSequenceSearch } from './sequence-search.ts'

/**
 * Ends the text before the first stop sequence, where the vendor cannot. Text that could begin a sequence is held back
 * until it is clear, also across the end of a text block that another follows directly. A match calls `onStop`, cuts the
 * text and ends the block and the reply; later events of the vendor are dropped, its usage included.
 */
export function stopAtSequence(input: { sequences: readonly string[]; emit: Emit; onStop(): void }): Emit {
  const { sequences, emit, onStop } = input
  const search = createSequenceSearch(sequences)
  let isInText = false
  let hasStopped = false
  let held = ''
  /** Offsets in `held` of the breaks between two text blocks. */
  let breaks: number[] = []
  /** Whether the end of the block is held back too. */
  let isEndHeld = false

  /** Emits the first characters of the held text, with the breaks before `breaksBefore`. */
  const release = (length: number, breaksBefore = length) => {
    let from = 0
    let passed = 0
    for (const place of breaks) {
      if (place >= breaksBefore) break
      passed += 1
      if (place > from) emit({ kind: 'block-delta', text: held.slice(from, place) })
      emit({ kind: 'block-end' })
      emit({ kind: 'block-start', block: { kind: 'text' } })
      from = place
    }
    if (length > from) emit({ kind: 'block-delta', text: held.slice(from, length) })
    held = held.slice(length)
    if (breaks.length > 0) breaks = breaks.slice(passed).map((place) => place - length)
  }

  /** Emits all held text: nothing that follows can complete a sequence. */
  const releaseAll = () => {
    release(held.length, Infinity)
    if (isEndHeld) emit({ kind: 'block-end' })
    isEndHeld = false
    search.reset()
  }

  const takeText = (event: ReplyEvent & { kind: 'block-delta' }) => {
    const match = search.feed(event.text)
    if (match === undefined && held === '' && search.heldLength === 0) return emit(event)
    const before = held.length
    held += event.text
    if (match === undefined) return release(held.length - search.heldLength)
    hasStopped = true
    onStop()
    release(before + match.end - match.sequence.length)
    emit({ kind: 'block-end' })
    emit({
      kind: 'reply-end',
      reason: { kind: 'stop-sequence', sequence: match.sequence },
      tokens: undefined,
    })
  }

  return (event) => {
    if (hasStopped) return
    if (event.kind === 'block-delta' && isInText) return takeText(event)
    if (event.kind === 'block-end' && isInText) {
      isInText = false
      isEndHeld = held !== ''
      if (!isEndHeld) emit(event)
      return
    }
    const isText = event.kind === 'block-start' && event.block.kind === 'text'
    if (isText && isEndHeld) {
      breaks.push(held.length)
      isEndHeld = false
      isInText = true
      return
    }
    if (event.kind !== 'reply-start') releaseAll()
    isInText = isText
    emit(event)
  }
}

/** Cuts a whole reply. The vendor counted all of it, so its count stands. */
export function cutAtSequence(events: readonly ReplyEvent[], sequences: readonly string[]): ReplyEvent[] {
  const cut: ReplyEvent[] = []
  let isCut = false
  const take = stopAtSequence({
    sequences,
    emit: (event) => cut.push(event),
    onStop: () => {
      isCut = true
    },
  })
  for (const event of events) take(event)
  const last = cut.at(-1)
  const vendorsLast = events.at(-1)
  if (isCut && last?.kind === 'reply-end' && vendorsLast?.kind === 'reply-end') {
    cut[cut.length - 1] = { ...vendorsLast, reason: last.reason }
  }
  return cut
}
