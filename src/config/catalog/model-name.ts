import type { Kind } from '../kinds/kind.ts'

const NAME_CHARACTERS_MAX = 200

export const modelName: Kind<string> = {
  takes: 'a name of the form provider/model, such as vendorC/model-4.1',
  secret: false,
  parse(text) {
    if (!text.includes('/')) return { wrong: 'has no slash' }
    if (text.length > NAME_CHARACTERS_MAX) return { wrong: `has more than ${NAME_CHARACTERS_MAX} characters` }
    return /^[A-Za-z][\w.-]*\/[\w.:@/-]+$/.test(text)
      ? { value: text }
      : { wrong: 'is not a name of a model' }
  },
}
