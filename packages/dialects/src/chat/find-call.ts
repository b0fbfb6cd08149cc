/** A piece of a call on the wire. A missing id or name is empty. */
export interface CallPiece {
  index: number | undefined
  id: string
  name: string
  /** undefined: the member is missing, which differs from an empty one. */
  arguments: string | undefined
}

/** Properties of a call that tell whether a piece belongs to it. */
export interface KnownCall {
  /** Index in the latest piece of the call. */
  readonly index: number | undefined
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** Whether its arguments are complete. */
  readonly isWhole: boolean
  /** Whether the name is surely whole: the first piece had a name and arguments, even empty ones. */
  readonly hasWholeName: boolean
  readonly isEnded: boolean
}

/**
 * Finds the call of a piece; undefined: the piece begins a new call. Some vendors omit the index or the id of a call,
 * change it within the call, or repeat the first one in all calls. A name is the best sign that a call begins.
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

/** Whether a piece with a name belongs to a new call, although its index or id is known. */
function isOfAnother({ id, name, arguments: spelled = '' }: CallPiece, known: KnownCall, isLast: boolean) {
  if (id !== '' && known.id !== '' && id !== known.id) return true
  if (known.name === '' || !isLast) return false
  const isSameName = name === known.name
  if (id !== '' && id === known.id) return !isSameName && known.isWhole
  // Some vendors repeat the name in every chunk, also after the last of the arguments.
  if (isSameName) return spelled.trim() !== '' && known.isWhole
  // A vendor that gives ids gives one to every call: a piece without an id continues the name.
  return known.arguments === '' ? known.hasWholeName && known.id === '' : known.isWhole
}

/** A piece without a name continues a call, unless its id is new and its index too, or no call is open. */
function nameless<Call extends KnownCall>(
  { index, id, arguments: spelled = '' }: CallPiece,
  known: Call | undefined,
  calls: readonly Call[],
): Call | undefined {
  const isForKnown = known !== undefined && !(known.isEnded && spelled.trim() !== '')
  if (isForKnown || index === undefined) return known
  // The index has changed between pieces, and the id has not.
  if (known === undefined && id !== '') return calls.findLast((call) => call.id === id)
  // The index changed between the name and the arguments, or the arguments were the first to have an index.
  const waiting = calls.findLast((call) => call.arguments === '')
  const last = calls.at(-1)
  return waiting ?? (last?.index === undefined ? last : undefined)
}
