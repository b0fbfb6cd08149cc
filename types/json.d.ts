/** The part of JSON that Node has and TypeScript's own library does not describe yet: numbers by their spelling. */
interface JSON {
  /** `source` is how a number, a string, a boolean or null was spelled; objects and arrays have none. */
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown
  /** A number that `stringify` spells just so. */
  rawJSON(spelled: string): RawJSON
  /** Not of an object that only has a member of that name. */
  isRawJSON(value: unknown): value is RawJSON
}

interface RawJSON {
  readonly rawJSON: string
}
