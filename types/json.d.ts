/** The part of JSON that Node has and TypeScript's own library does not describe yet: numbers by their spelling. */
interface JSON {
  /** A number that `stringify` spells just so. */
  rawJSON(spelled: string): RawJSON
  /** Not of an object that only has a member of that name. */
  isRawJSON(value: unknown): value is RawJSON
}

interface RawJSON {
  readonly rawJSON: string
}
