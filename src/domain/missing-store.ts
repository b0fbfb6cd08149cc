import { ApiError } from './api-error.ts'

/** There is no store where the settings say: commands work on one, and only two of them make it. */
export class MissingStore extends ApiError {
  constructor(what: string) {
    super('store_unavailable', {
      message: `${what} "sluice migrate" makes one, and so does the first "sluice serve".`,
    })
    this.name = 'MissingStore'
  }
}
