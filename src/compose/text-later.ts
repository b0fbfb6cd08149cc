import type { TextParts } from './text.ts'

interface LaterText extends TextParts {
  /** Loads the modules now, so that no request waits for them. */
  open(): Promise<void>
}

/** Loads the modules for text with the first text request; a gateway without text requests never needs them. */
export function openTextLater(load: () => Promise<TextParts>): LaterText {
  let parts: TextParts | undefined
  let opening: Promise<TextParts> | undefined

  function wanted(): Promise<TextParts> {
    opening ??= load().then(
      (loaded) => {
        parts = loaded
        return loaded
      },
      (error) => {
        opening = undefined
        throw error
      },
    )
    return opening
  }

  const loaded = async () => (parts ?? (await wanted())).useCases
  return {
    async open() {
      await wanted()
    },
    useCases: {
      answerText: (command, sink) =>
        parts === undefined
          ? wanted().then(({ useCases }) => useCases.answerText(command, sink))
          : parts.useCases.answerText(command, sink),
      readHeavyBody: async (bytes, shape) => (await loaded()).readHeavyBody(bytes, shape),
      readHeavyEmbeddings: async (bytes) => (await loaded()).readHeavyEmbeddings(bytes),
      getResponse: async (name) => (await loaded()).getResponse(name),
      readResponse: async (wanted, sink) => (await loaded()).readResponse(wanted, sink),
      cancelResponse: async (name, closed) => (await loaded()).cancelResponse(name, closed),
      deleteResponse: async (name, closed) => (await loaded()).deleteResponse(name, closed),
      countTokens: async (command) => (await loaded()).countTokens(command),
      createEmbeddings: async (command, sink) => (await loaded()).createEmbeddings(command, sink),
    },
    idle: async () => parts?.idle(),
    endReplies: () => parts?.endReplies(),
    endDisabledReplies: async () => parts?.endDisabledReplies(),
    async close() {
      await (await opening)?.close()
    },
  }
}
