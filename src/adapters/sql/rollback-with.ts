/**
 * Thrown by a write that has an answer but must change nothing: the engine rolls back and returns the answer. A
 * transaction can therefore lock its rows in the order that prevents deadlocks, even when the last row decides.
 */
export class RollbackWith<Answer> {
  readonly answer: Answer

  constructor(answer: Answer) {
    this.answer = answer
  }
}
