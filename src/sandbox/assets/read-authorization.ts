export interface Authorization {
  accessKey: string
  scope: { date: string; region: string; service: string }
  /** In the order in which they were signed. */
  signedHeaders: string[]
  signature: string
}

const SHAPE =
  /^HMAC-SHA256 Credential=([^/\s,]+)\/(\d{8})\/([^/\s,]+)\/([^/\s,]+)\/request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

/** Undefined: not a header of this scheme. */
export function readAuthorization(header: string | undefined): Authorization | undefined {
  const [match, accessKey = '', date = '', region = '', service = '', names = '', signature = ''] =
    SHAPE.exec(header ?? '') ?? []
  if (match === undefined) return undefined
  return { accessKey, scope: { date, region, service }, signedHeaders: names.split(';'), signature }
}
