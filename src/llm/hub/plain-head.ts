/** The beginning of a name or an id, in the characters that every vendor takes. */
export function plainHead(name: string, lengthMax: number): string {
  return name.slice(0, lengthMax).replace(/[^a-zA-Z0-9_-]/g, '_')
}
