/**
 * Thrown by a write that has an answer although nothing of it may stay: the engine rolls back what it did so far and
 * hands out the answer as if it had been returned. So an operation may take its rows in the order that rules out
 * deadlocks, even when the row that decides comes last.
 */
export class RollbackWith<Answer> {
  readonly answer: Answer

  constructor(answer: Answer) {
    this.answer = answer
  }
}
