import { ApiError } from './api-error.ts'

/** Only `migrate` and `serve` create a store; other commands throw this. */
export class MissingStore extends ApiError {
  constructor(what: string) {
    super('store_unavailable', {
      message: `${what} "sluice migrate" makes one, and so does the first "sluice serve".`,
    })
    this.name = 'MissingStore'
  }
}
