/** The one character that PostgreSQL's text cannot hold, and a vendor's words may. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
