/** One member of a body that may be anything; undefined also where the body is no object. */
export function readMember(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  return Object.getOwnPropertyDescriptor(body, name)?.value
}
