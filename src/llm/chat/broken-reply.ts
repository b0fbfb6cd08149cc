/** Something on the wire that no reading makes sense of. Its message is for people. */
export class BrokenReply extends Error {
  constructor(what: string) {
    super(`The provider's reply is broken: ${what}.`)
    this.name = 'BrokenReply'
  }
}
