import { ApiError } from './api-error.ts'

/** Thrown by commands that need a store and do not create one, unlike `migrate`, `serve` and `demo`. */
export class MissingStore extends ApiError {
  constructor(what: string) {
    super('store_unavailable', {
      message: `${what} "sluice migrate" makes one, and so does the first "sluice serve".`,
    })
    this.name = 'MissingStore'
  }
}
