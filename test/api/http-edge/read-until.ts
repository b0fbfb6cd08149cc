/** Reads an open answer until a given word; returns the text so far. */
export function readUntil(answer: Response): (word: string) => Promise<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async (word) => {
    while (!text.includes(word)) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) throw new Error(`ended before ${word}: ${text}`)
      text += value
    }
    return text
  }
}
