/** Settings of a gateway that trusts the addresses in `x-forwarded-for` from this machine. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.0/8' }

let clients = 0

/** Headers of a client that has sent no wrong key yet. */
export function newClient(): { 'x-forwarded-for': string } {
  clients += 1
  return { 'x-forwarded-for': `10.0.${clients >> 8}.${clients & 255}` }
}
