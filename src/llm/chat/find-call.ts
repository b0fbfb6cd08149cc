/** A piece of a call as it is on the wire, what is left out empty. */
export interface CallPiece {
  index: number | undefined
  id: string
  name: string
  /** undefined: there is no such member, which is less than an empty one. */
  arguments: string | undefined
}

/** What must be known of a call to tell whether a piece is of it. */
export interface KnownCall {
  /** The last one that its pieces had. */
  readonly index: number | undefined
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** Whether its arguments are all there. */
  readonly isWhole: boolean
  /** Its first piece had a name and a place for arguments, if only an empty one: then the name was whole. */
  readonly hasBegunAtOnce: boolean
  readonly isEnded: boolean
}

/**
 * The call a piece belongs to; undefined: it begins one. Vendors count their calls by index, but some leave it out, or
 * change it, or count every call as the first; and so with ids. A name tells most: it begins a call.
 */
export function findCall<Call extends KnownCall>(piece: CallPiece, calls: readonly Call[]): Call | undefined {
  const known = piece.index === undefined ? byId(piece, calls) : byIndex(piece, calls)
  if (piece.name === '') return nameless(piece, known, calls)
  const isLast = known === calls.at(-1)
  return known === undefined || isOfAnother(piece, known, isLast) ? undefined : known
}

function byId<Call extends KnownCall>({ id }: CallPiece, calls: readonly Call[]): Call | undefined {
  return id === '' ? calls.at(-1) : calls.findLast((call) => call.id === id)
}

function byIndex<Call extends KnownCall>({ index, id }: CallPiece, calls: readonly Call[]): Call | undefined {
  const known = calls.findLast((call) => call.index === index)
  if (known !== undefined || id === '') return known
  return calls.findLast((call) => call.index === undefined && call.id === id)
}

/** Whether a piece with a name is of another call than the one it seems to be of. */
function isOfAnother({ id, name, arguments: spelled = '' }: CallPiece, known: KnownCall, isLast: boolean) {
  if (id !== '' && known.id !== '' && id !== known.id) return true
  if (known.name === '' || !isLast) return false
  const isSameName = name === known.name
  if (id !== '' && id === known.id) return !isSameName && known.isWhole
  // Some vendors repeat the name in every chunk, also after the last of the arguments.
  if (isSameName) return spelled.trim() !== '' && known.isWhole
  // A vendor that gives ids gives one to every call: without an id, this is more of a name.
  return known.arguments === '' ? known.hasBegunAtOnce && known.id === '' : known.isWhole
}

/** A piece without a name goes on with a call, unless it comes with an id of its own or there is nothing to go on with. */
function nameless<Call extends KnownCall>(
  { index, id, arguments: spelled = '' }: CallPiece,
  known: Call | undefined,
  calls: readonly Call[],
): Call | undefined {
  const isForKnown = known !== undefined && !(known.isEnded && spelled.trim() !== '')
  if (isForKnown || index === undefined) return known
  // The index has changed on the way, and the id has not.
  if (known === undefined && id !== '') return calls.findLast((call) => call.id === id)
  // The index has changed between the name and the arguments, or it came with them for the first time.
  const waiting = calls.findLast((call) => call.arguments === '')
  const last = calls.at(-1)
  return waiting ?? (last?.index === undefined ? last : undefined)
}
