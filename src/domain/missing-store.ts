import { ApiError } from './api-error.ts'

/** Error for settings that point to no store: commands need one, and only two of them create it. */
export class MissingStore extends ApiError {
  constructor(what: string) {
    super('store_unavailable', {
      message: `${what} "sluice migrate" makes one, and so does the first "sluice serve".`,
    })
    this.name = 'MissingStore'
  }
}
