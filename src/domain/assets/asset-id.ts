/** Wider than the ids we make; beyond it nothing can be one, and the store need not be asked. */
const ID = /^[\w-]{1,64}$/

export function couldBeAssetId(text: string): boolean {
  return ID.test(text)
}
