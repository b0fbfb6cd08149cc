/** Whether the string value of a member begins at this offset: `":"` stands before it. */
export function beginsValue(text: string, at: number): boolean {
  return (
    text.charCodeAt(at - 1) === QUOTE &&
    text.charCodeAt(at - 2) === COLON &&
    text.charCodeAt(at - 3) === QUOTE
  )
}

const QUOTE = 0x22
const COLON = 0x3a
