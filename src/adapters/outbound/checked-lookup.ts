import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { AddressCheck } from '../../domain/addresses/address-check.ts'
import { forbidden } from './network-error.ts'

/** Resolves names like the system, and drops forbidden addresses: a name may resolve to another address after its check. */
export function checkedLookup(isAllowed: AddressCheck): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const allowed = error === null ? found.filter(({ address }) => isAllowed(address)) : []
      const [first] = allowed
      if (first === undefined) done(error ?? forbidden('address not allowed'), '', 0)
      else if (options.all === true) done(null, allowed)
      else done(null, first.address, first.family)
    })
  }
}
